"""What the resident server does for its callers, by the names of its methods.

Source: the calls in uiautomator2/__init__.py and _selector.py 3.7.1; UiDevice of AndroidX for
times (a click rests for 100 ms, a step of a swipe takes 5 ms).
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import cv2
import numpy as np

from demophone.device import TouchAction
from demophone.habits import Latency
from demophone.keycodes import DEL, PASTE
from demophone.system import MODEL, SDK, System
from demophone.uiautomator2 import selectors
from demophone.uiautomator2.fingers import pinch, stroke
from demophone.uiautomator2.http import RpcError

CLICK_S = 0.1
POLL_S = 0.1
IDLE_S = 0.1
IDLE_TIMEOUT_S = 1.0
MAX_POINTS = 200
MAX_WAIT_MS = 300_000
FLING_STEPS = 5
SCROLL_STEPS = 55
MAX_SWIPES = 30
MAX_HANDLES = 200
SELECT_ALL, CONTROL = 29, 0x1000
KEYS = {
    "home": 3, "back": 4, "up": 19, "down": 20, "left": 21, "right": 22, "center": 23,
    "volume_up": 24, "volume_down": 25, "power": 26, "camera": 27, "enter": 66, "del": 67,
    "delete": 67, "menu": 82, "search": 84, "volume_mute": 164, "recent": 187,
}  # fmt: skip
ROTATIONS = {"natural": 0, "n": 0, "left": 1, "l": 1, "upsidedown": 2, "u": 2, "right": 3, "r": 3}

Method = Callable[..., Awaitable[Any]]


class Automator:
    """The phone under the hands of a test."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._device = system.device
        self._handles: dict[str, tuple[Any, Any, str, str]] = {}
        self._methods = self._table()

    async def call(self, name: str, params: Any) -> Any:
        """Runs a method with its parameters.

        Raises:
            RpcError: there is no such method, the parameters are not for it, or it failed.
        """
        method = self._methods.get(name)
        if method is None:
            raise RpcError(-32601, f"Method not found: {name[:80]}")
        values = params if isinstance(params, list) else []
        try:
            return await method(*values)
        except (TypeError, ValueError, OverflowError) as error:
            raise RpcError(-32602, f"Invalid method parameters: {name}: {error}") from error

    def _table(self) -> dict[str, Method]:
        return {
            "deviceInfo": self._device_info,
            "dumpWindowHierarchy": self._dump,
            "takeScreenshot": self._screenshot,
            "click": self._click,
            "injectInputEvent": self._inject,
            "swipe": self._swipe,
            "swipePoints": self._swipe_points,
            "drag": self._drag,
            "pressKey": self._press_key,
            "pressKeyCode": self._press_code,
            "wakeUp": self._wake,
            "sleep": self._sleep,
            "isScreenOn": self._is_on,
            "setOrientation": self._orient,
            "freezeRotation": self._freeze,
            "openNotification": self._notifications,
            "openQuickSettings": self._quick_settings,
            "getClipboard": self._clipboard,
            "setClipboard": self._set_clipboard,
            "pasteClipboard": self._paste,
            "clearInputText": self._clear_input,
            "exist": self._exist,
            "count": self._count,
            "objInfo": self._info,
            "objInfoOfAllInstances": self._infos,
            "waitForExists": self._wait,
            "waitUntilGone": self._wait_gone,
            "getText": self._text,
            "setText": self._set_text,
            "clearTextField": self._clear_field,
            "scrollForward": self._forward,
            "scrollBackward": self._backward,
            "scrollToBeginning": self._to_beginning,
            "scrollToEnd": self._to_end,
            "scrollTo": self._scroll_to,
            "flingForward": self._fling_forward,
            "flingBackward": self._fling_backward,
            "flingToBeginning": self._to_beginning,
            "flingToEnd": self._to_end,
            "pinchIn": self._pinch_in,
            "pinchOut": self._pinch_out,
            "childByText": self._child_by_text,
            "childByDescription": self._child_by_description,
            "getLastToast": self._toast,
            "clearLastToast": self._clear_toast,
        }

    # --- the phone ---------------------------------------------------------------------------
    async def _device_info(self) -> dict[str, Any]:
        device = self._device
        width, height = device.size
        dp = [round(side * 160 / device.density) for side in device.natural_size]
        return {
            "currentPackageName": device.foreground[0],
            "displayHeight": height,
            "displayRotation": device.rotation,
            "displaySizeDpX": dp[0],
            "displaySizeDpY": dp[1],
            "displayWidth": width,
            "productName": MODEL,
            "screenOn": device.awake,
            "sdkInt": SDK,
            "naturalOrientation": device.rotation % 2 == 0,
        }

    async def _dump(self, compressed: Any = False, depth: Any = 50, active: Any = False) -> str:
        """All windows; the active one alone where that is asked for."""
        latency = self._system.habits.latency.get("tree-latency")
        if latency is not None:
            return await self._late_dump(latency, bool(compressed), max(1, int(depth)))
        if not self._system.deterministic:
            await asyncio.sleep(0.04 + 0.12 * self._device.random("uiautomator2 dump"))
        await self._settle()
        if active:
            return self._device.hierarchy(bool(compressed))
        return self._device.window_hierarchy(bool(compressed), max(1, int(depth)))

    async def _late_dump(self, latency: Latency, compressed: bool, depth: int) -> str:
        """All windows as they are at some moment of the time that the answer takes."""
        device = self._device
        seconds = latency.seconds(device.random("tree latency"))
        before = seconds * device.random("tree moment")
        await asyncio.sleep(before)
        xml = device.window_hierarchy(compressed, depth)
        device.log("tree", source="uiautomator2", sha256=hashlib.sha256(xml.encode()).hexdigest())
        await asyncio.sleep(seconds - before)
        if latency.fails(device.random("tree failure")):
            raise RpcError(-32001, "android.os.DeadObjectException: the window has gone")
        return xml

    async def _screenshot(self, scale: Any = 1, quality: Any = 80) -> str:
        pixels = self._device.picture().pixels[:, :, :3]
        share = min(1.0, max(0.05, float(scale)))
        wanted = [cv2.IMWRITE_JPEG_QUALITY, min(100, max(1, int(quality)))]
        data = await asyncio.to_thread(_jpeg, pixels, share, wanted)
        return base64.b64encode(data).decode()

    async def _wake(self) -> bool:
        self._device.wake(True)
        return True

    async def _sleep(self) -> bool:
        self._device.wake(False)
        return True

    async def _is_on(self) -> bool:
        return self._device.awake

    async def _orient(self, where: Any) -> bool:
        if where not in ROTATIONS:
            raise RpcError(-32602, f"Invalid method parameters: orientation {str(where)[:40]}")
        self._device.set_rotation(ROTATIONS[where])
        return True

    async def _freeze(self, freeze: Any = True) -> bool:
        value = "0" if freeze else "1"
        self._device.put_setting("system", "accelerometer_rotation", value)
        return True

    async def _notifications(self) -> bool:
        self._device.expand("notifications")
        return True

    async def _quick_settings(self) -> bool:
        self._device.expand("settings")
        return True

    # --- fingers -----------------------------------------------------------------------------
    def _touch(self, action: TouchAction, x: Any, y: Any) -> None:
        pressure = 0.0 if action is TouchAction.UP else 1.0
        self._device.touch(action, 0, float(x), float(y), pressure, "shell")

    async def _click(self, x: Any, y: Any, milliseconds: Any = CLICK_S * 1000) -> bool:
        rest = min(float(milliseconds), MAX_WAIT_MS) / 1000
        await stroke(self._device, [(float(x), float(y))], 1, rest)
        return True

    async def _inject(self, action: Any, x: Any, y: Any, meta: Any = 0) -> bool:
        self._touch(TouchAction(action), x, y)
        return True

    async def _swipe(self, x: Any, y: Any, x2: Any, y2: Any, steps: Any = 55) -> bool:
        await stroke(self._device, [(float(x), float(y)), (float(x2), float(y2))], int(steps))
        return True

    async def _swipe_points(self, numbers: Any, steps: Any) -> bool:
        if not isinstance(numbers, list) or len(numbers) % 2 or len(numbers) > 2 * MAX_POINTS:
            raise RpcError(-32602, "Invalid method parameters: points")
        points = [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if points:
            await stroke(self._device, points, int(steps))
        return bool(points)

    async def _drag(self, x: Any, y: Any, x2: Any, y2: Any, steps: Any = 100) -> bool:
        await stroke(self._device, [(float(x), float(y)), (float(x2), float(y2))], int(steps), 0.55)
        return True

    # --- keys and text -----------------------------------------------------------------------
    async def _press_key(self, name: Any) -> bool:
        code = KEYS.get(str(name).lower())
        if code is None:
            return False
        return await self._press_code(code)

    async def _press_code(self, code: Any, meta: Any = 0) -> bool:
        self._device.key(int(code), True, int(meta or 0), "shell")
        self._device.key(int(code), False, int(meta or 0), "shell")
        return True

    async def _clipboard(self) -> str:
        return self._device.clipboard

    async def _set_clipboard(self, label: Any, text: Any) -> None:
        self._device.set_clipboard(str(text))

    async def _paste(self) -> bool:
        return await self._press_code(PASTE)

    async def _clear_input(self) -> None:
        await self._press_code(SELECT_ALL, CONTROL)
        await self._press_code(DEL)

    # --- what is on the screen ---------------------------------------------------------------
    def _nodes(self, selector: Any) -> list[selectors.Node]:
        xml = self._device.window_hierarchy()
        if isinstance(selector, str):
            if selector not in self._handles:
                raise RpcError(-32602, f"Invalid method parameters: no object {selector[:80]}")
            return selectors.with_text(xml, *self._handles[selector])
        return selectors.found(xml, selector)

    def _node(self, selector: Any) -> selectors.Node:
        nodes = self._nodes(selector)
        if not nodes:
            missing = "androidx.test.uiautomator.UiObjectNotFoundException"
            raise RpcError(-32002, missing, f"UiSelector{str(selector)[:400]}")
        return nodes[0]

    async def _exist(self, selector: Any) -> bool:
        return bool(self._nodes(selector))

    async def _count(self, selector: Any) -> int:
        return len(self._nodes(selector))

    async def _info(self, selector: Any) -> dict[str, Any]:
        return selectors.info(self._node(selector))

    async def _infos(self, selector: Any) -> list[dict[str, Any]]:
        return [selectors.info(node) for node in self._nodes(selector)]

    async def _text(self, selector: Any) -> str:
        return self._node(selector).get("text", "")

    async def _wait(self, selector: Any, milliseconds: Any) -> bool:
        return await self._until(selector, milliseconds, True)

    async def _wait_gone(self, selector: Any, milliseconds: Any) -> bool:
        return await self._until(selector, milliseconds, False)

    async def _until(self, selector: Any, milliseconds: Any, there: bool) -> bool:
        loop = asyncio.get_running_loop()
        end = loop.time() + min(float(milliseconds), MAX_WAIT_MS) / 1000
        while bool(self._nodes(selector)) != there:
            if loop.time() >= end:
                return False
            await asyncio.sleep(POLL_S)
        return True

    async def _set_text(self, selector: Any, text: Any) -> bool:
        await self._clear_field(selector)
        self._device.text(str(text), "shell")
        return True

    async def _clear_field(self, selector: Any) -> None:
        left, top, right, bottom = selectors.bounds(self._node(selector))
        await self._click((left + right) / 2, (top + bottom) / 2)
        await self._clear_input()

    async def _forward(self, selector: Any, vertical: Any = True, steps: Any = 55) -> bool:
        return await self._scroll(selector, bool(vertical), int(steps), -1)

    async def _backward(self, selector: Any, vertical: Any = True, steps: Any = 55) -> bool:
        return await self._scroll(selector, bool(vertical), int(steps), 1)

    async def _scroll(self, selector: Any, vertical: bool, steps: int, sign: int) -> bool:
        """A swipe over the middle of a list. Returns whether something else shows then."""
        left, top, right, bottom = selectors.bounds(self._node(selector))
        x, y = (left + right) / 2, (top + bottom) / 2
        dx = 0.0 if vertical else sign * (right - left) * 0.35
        dy = sign * (bottom - top) * 0.35 if vertical else 0.0
        before = self._device.window_hierarchy()
        await stroke(self._device, [(x - dx, y - dy), (x + dx, y + dy)], steps)
        await self._settle()
        return self._device.window_hierarchy() != before

    async def _to_beginning(
        self, selector: Any, vertical: Any = True, most: Any = 500, steps: Any = FLING_STEPS
    ) -> bool:
        return await self._to_edge(selector, bool(vertical), int(most), int(steps), 1)

    async def _to_end(
        self, selector: Any, vertical: Any = True, most: Any = 500, steps: Any = FLING_STEPS
    ) -> bool:
        return await self._to_edge(selector, bool(vertical), int(most), int(steps), -1)

    async def _to_edge(
        self, selector: Any, vertical: bool, most: int, steps: int, sign: int
    ) -> bool:
        for _ in range(min(most, MAX_SWIPES)):
            if not await self._scroll(selector, vertical, steps, sign):
                return True
        return False

    async def _scroll_to(self, selector: Any, target: Any, vertical: Any = True) -> bool:
        """Scrolls to the beginning and then forward until the target shows."""
        return await self._search(
            selector, bool(vertical), lambda: bool(self._nodes(target)), SCROLL_STEPS
        )

    async def _search(
        self, selector: Any, vertical: bool, shows: Callable[[], bool], steps: int
    ) -> bool:
        if shows():
            return True
        await self._to_edge(selector, vertical, MAX_SWIPES, FLING_STEPS, 1)
        for _ in range(MAX_SWIPES):
            if shows():
                return True
            if not await self._scroll(selector, vertical, steps, -1):
                break
        return shows()

    async def _fling_forward(self, selector: Any, vertical: Any = True) -> bool:
        return await self._scroll(selector, bool(vertical), FLING_STEPS, -1)

    async def _fling_backward(self, selector: Any, vertical: Any = True) -> bool:
        return await self._scroll(selector, bool(vertical), FLING_STEPS, 1)

    async def _pinch_in(self, selector: Any, percent: Any = 100, steps: Any = 50) -> bool:
        return await self._pinch(selector, float(percent), int(steps), False)

    async def _pinch_out(self, selector: Any, percent: Any = 100, steps: Any = 50) -> bool:
        return await self._pinch(selector, float(percent), int(steps), True)

    async def _pinch(self, selector: Any, percent: float, steps: int, opens: bool) -> bool:
        box = selectors.bounds(self._node(selector))
        return await pinch(self._device, box, percent, steps, opens)

    async def _child_by_text(self, parent: Any, child: Any, text: Any, scrolls: Any = False) -> str:
        return await self._child(parent, child, "text", str(text), bool(scrolls))

    async def _child_by_description(
        self, parent: Any, child: Any, text: Any, scrolls: Any = False
    ) -> str:
        return await self._child(parent, child, "content-desc", str(text), bool(scrolls))

    async def _child(
        self, parent: Any, child: Any, attribute: str, text: str, scrolls: bool
    ) -> str:
        """Returns the handle of the child that has a text in it."""
        what = (parent, child, attribute, text)

        def shows() -> bool:
            return bool(selectors.with_text(self._device.window_hierarchy(), *what))

        there = await self._search(parent, True, shows, SCROLL_STEPS) if scrolls else shows()
        if not there:
            missing = "androidx.test.uiautomator.UiObjectNotFoundException"
            raise RpcError(-32002, missing, f"for text= {text[:80]!r}")
        handle = str(uuid.uuid4())
        self._handles[handle] = what
        while len(self._handles) > MAX_HANDLES:
            del self._handles[next(iter(self._handles))]
        return handle

    async def _toast(self) -> str | None:
        return self._device.last_toast or None

    async def _clear_toast(self) -> None:
        self._device.clear_last_toast()

    async def _settle(self) -> None:
        """Waits until nothing has changed for a moment, but not for long."""
        loop = asyncio.get_running_loop()
        end = loop.time() + IDLE_TIMEOUT_S
        while self._device.idle_for_us() < IDLE_S * 1e6 and loop.time() < end:
            await asyncio.sleep(0.02)


def _jpeg(pixels: np.ndarray[Any, Any], share: float, wanted: list[int]) -> bytes:
    if share < 1:
        pixels = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    ok, data = cv2.imencode(".jpg", np.ascontiguousarray(pixels), wanted)
    if not ok:
        raise AssertionError("OpenCV could not write a JPEG")
    return bytes(np.asarray(data).tobytes())
