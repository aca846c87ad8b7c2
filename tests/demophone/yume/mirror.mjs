// Mirrors and operates the demo phone with @yume-chan's packages, as they are.
// Usage: node mirror.mjs ADB_SERVER_PORT SERIAL JAR forward|reverse
// Prints one JSON object: what was seen, and every control message that was sent, as hex.

import { readFileSync } from "node:fs";
import { AdbServerClient } from "@yume-chan/adb";
import { AdbScrcpyClient, AdbScrcpyOptions3_3_3 } from "@yume-chan/adb-scrcpy";
import { AdbServerNodeTcpConnector } from "@yume-chan/adb-server-node-tcp";
import { ReadableStream } from "@yume-chan/stream-extra";

const [port, serial, jar, tunnel] = process.argv.slice(2);
const seen = { sent: [] };
const patience = setTimeout(() => fail(new Error("nothing happened for 25 seconds")), 25000);

function fail(error) {
  console.error(error);
  console.log(JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  process.exit(1);
}

async function main() {
  const connector = new AdbServerNodeTcpConnector({ host: "127.0.0.1", port: Number(port) });
  const server = new AdbServerClient(connector);
  const adb = await server.createAdb({ serial });
  seen.model = (await adb.getProp("ro.product.model")).trim();
  seen.none = await adb.subprocess.noneProtocol.spawnWaitText(["echo", "one"]);
  const shell = await adb.subprocess.shellProtocol.spawnWaitText("echo out; echo err >&2; exit 4");
  seen.shell = [shell.exitCode, shell.stdout, shell.stderr];

  const bytes = new Uint8Array(readFileSync(jar));
  const push = () =>
    AdbScrcpyClient.pushServer(
      adb,
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 65536) {
            controller.enqueue(bytes.subarray(at, at + 65536));
          }
          controller.close();
        },
      }),
    );
  const path = "/data/local/tmp/scrcpy-server.jar";
  const options = (more) =>
    new AdbScrcpyOptions3_3_3(
      { audio: false, tunnelForward: tunnel === "forward", ...more },
      { version: "3.3.4" },
    );
  await push();
  seen.encoders = await AdbScrcpyClient.getEncoders(adb, path, options({}));
  await push();
  seen.displays = await AdbScrcpyClient.getDisplays(adb, path, options({}));
  await push();
  const client = await AdbScrcpyClient.start(adb, path, options({}));
  seen.output = [];
  const printing = client.output
    .pipeTo(new WritableStream({ write: (line) => void seen.output.push(line) }))
    .catch(() => {});

  const { controller } = client;
  const write = controller.write.bind(controller);
  let name = "";
  controller.write = (message) => {
    seen.sent.push([name, Buffer.from(message).toString("hex")]);
    return write(message);
  };
  const video = await client.videoStream;
  seen.metadata = video.metadata;
  const reader = video.stream.getReader();
  const next = async (wanted) => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error("the video ended");
      if (value.type === wanted) return value;
    }
  };
  await next("configuration");
  seen.size = [video.width, video.height];
  const first = await next("data");
  seen.first = { pts: first.pts, keyframe: first.keyframe };
  const touch = (action, x, y, pressure) =>
    controller.injectTouch({
      action,
      pointerId: -2n,
      pointerX: x,
      pointerY: y,
      videoWidth: video.width,
      videoHeight: video.height,
      pressure,
      actionButton: 1,
      buttons: action === 1 ? 0 : 1,
    });
  name = "touch down";
  await touch(0, 100, 200, 0.5);
  const second = await next("data");
  seen.second = { pts: second.pts, keyframe: second.keyframe };
  name = "touch move";
  await touch(2, 110, 220, 1);
  name = "touch up";
  await touch(1, 110, 220, 0);
  name = "scroll";
  await controller.injectScroll({
    pointerX: 50,
    pointerY: 60,
    videoWidth: video.width,
    videoHeight: video.height,
    scrollX: 0,
    scrollY: 1.5,
    buttons: 0,
  });
  name = "key down";
  await controller.injectKeyCode({ action: 0, keyCode: 66, repeat: 0, metaState: 0 });
  name = "key up";
  await controller.injectKeyCode({ action: 1, keyCode: 66, repeat: 0, metaState: 0 });
  name = "text";
  await controller.injectText("hello é");
  name = "set clipboard";
  await controller.setClipboard({ sequence: 7n, paste: true, content: "from the computer" });
  seen.acknowledged = true;
  name = "back";
  await controller.backOrScreenOn(0);
  name = "expand notifications";
  await controller.expandNotificationPanel();
  name = "expand settings";
  await controller.expandSettingPanel();
  name = "collapse";
  await controller.collapseNotificationPanel();
  name = "display power";
  await controller.setScreenPowerMode(2);
  name = "uhid create";
  await controller.uHidCreate({
    id: 1,
    vendorId: 2,
    productId: 3,
    name: "keyboard",
    data: new Uint8Array([5, 1, 9, 6]),
  });
  name = "uhid input";
  await controller.uHidInput({ id: 1, data: new Uint8Array([0, 0, 4]) });
  name = "uhid destroy";
  await controller.uHidDestroy(1);
  name = "start app";
  await controller.startApp("org.example.notes", { forceStop: true });
  name = "rotate";
  await controller.rotateDevice();
  await next("configuration");
  seen.turned = [video.width, video.height];
  const third = await next("data");
  seen.third = { pts: third.pts, keyframe: third.keyframe };
  name = "touch after the turn";
  await touch(0, 300, 20, 1);
  await next("data");
  name = "touch up after the turn";
  await touch(1, 300, 20, 0);
  name = "reset video";
  await controller.resetVideo();
  await next("configuration");
  seen.fourth = { keyframe: (await next("data")).keyframe };
  await client.close();
  seen.closed = true;
  await printing;
}

main().then(() => {
  clearTimeout(patience);
  console.log(JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  process.exit(0);
}, fail);
