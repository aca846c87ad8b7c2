"""What the control messages do to the phone, and what the phone tells back.

Source: Controller.java, PositionMapper.java, PointersState.java of scrcpy 2.7, 3.3.4 and 4.1.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from demophone.device import DemoDevice, TouchAction
from demophone.keycodes import BACK, COPY, CUT, POWER, typeable
from demophone.packages import settings_package
from demophone.scrcpy import wire
from demophone.scrcpy.options import Options
from demophone.streams import Pipe

MAX_POINTERS = 10
HOVER_ACTIONS = (7, 9, 10)
MAX_WAITING = 1024


_INJECTED = (
    wire.InjectTouch,
    wire.InjectScroll,
    wire.InjectKeycode,
    wire.InjectText,
    wire.BackOrScreenOn,
)


class Controller:
    """One control socket.

    Args:
        tell: prints a warning on the server's output.
        reset_video: starts the encoder anew.
        refuse: reports that the phone refuses an input; None on a phone that takes inputs.
    """

    def __init__(
        self,
        device: DemoDevice,
        options: Options,
        pipe: Pipe,
        tell: Callable[[str], None],
        reset_video: Callable[[], None],
        refuse: Callable[[], None] | None = None,
    ) -> None:
        self._device = device
        self._options = options
        self._pipe = pipe
        self._tell = tell
        self._reset_video = reset_video
        self._refuse = refuse
        self._pointers: list[int | None] = [None] * MAX_POINTERS
        self._uhid: dict[int, str] = {}
        self._answers: asyncio.Queue[bytes] = asyncio.Queue(MAX_WAITING)

    async def receive(self) -> None:
        """Does what the messages ask for until the socket ends.

        Raises:
            BadControlMessage: bytes that are no message.
        """
        stop = (
            self._device.on_clipboard(lambda text: self._answer(wire.clipboard_message(text)))
            if self._options.clipboard_autosync
            else None
        )
        try:
            while True:
                version = self._options.version
                self.perform(await wire.read_control_message(self._pipe.read_exactly, version))
        except EOFError:
            return
        finally:
            if stop is not None:
                stop()
            self._lift_all()

    async def send(self) -> None:
        """Sends answers as they come, until cancelled."""
        while True:
            await self._pipe.write(await self._answers.get())

    def perform(self, message: wire.ControlMessage) -> None:
        """Does what one message asks for."""
        device = self._device
        if self._refuse is not None:
            if isinstance(message, _INJECTED):
                self._refuse()
                return
            if isinstance(message, wire.SetClipboard) and message.paste:
                self._refuse()  # the text is set; the key that pastes it is refused
                message = replace(message, paste=False)
        match message:
            case wire.InjectTouch():
                self._touch(message)
            case wire.InjectScroll(place, horizontal, vertical):
                point = self._mapped(place, "scroll")
                if point is not None:
                    device.scroll(*point, horizontal, vertical)
            case wire.InjectKeycode(action, keycode, _, metastate):
                device.key(keycode, action == 0, metastate, "scrcpy")
            case wire.InjectText(text):
                self._type(text)
            case wire.BackOrScreenOn(action):
                if device.awake:
                    device.key(BACK, action == 0, 0, "scrcpy")
                elif action == 0:
                    device.key(POWER, True, 0, "scrcpy")
                    device.key(POWER, False, 0, "scrcpy")
            case wire.Panel(name):
                device.expand(name)
            case wire.GetClipboard(copy_key):
                if copy_key in (1, 2):
                    self._press(COPY if copy_key == 1 else CUT)
                # With autosync the answer comes by itself when the clipboard changes.
                if not self._options.clipboard_autosync and device.clipboard:
                    self._answer(wire.clipboard_message(device.clipboard))
            case wire.SetClipboard(sequence, paste, text):
                device.set_clipboard(text, paste)
                if sequence:
                    self._answer(wire.ack_message(sequence))
            case wire.SetDisplayPower(on):
                # The panel alone goes dark; the phone and its mirror go on.
                device.log("display_power", on=on)
            case wire.RotateDevice():
                device.rotate()
            case wire.UhidCreate(number, vendor, product, name, descriptor):
                self._uhid[number] = name
                device.log(
                    "uhid_create",
                    id=number,
                    vendor=vendor,
                    product=product,
                    name=name,
                    bytes=len(descriptor),
                )
            case wire.UhidInput(number, data):
                if number not in self._uhid:
                    self._tell(f"Unknown UHID device: {number}")
                device.log("uhid_input", id=number, data=data[:64].hex())
            case wire.UhidDestroy(number):
                self._uhid.pop(number, None)
                device.log("uhid_destroy", id=number)
            case wire.OpenHardKeyboardSettings():
                device.start_app(settings_package(device.packages))
            case wire.StartApp(name):
                self._start_app(name)
            case wire.ResetVideo():
                self._reset_video()
            case wire.Unsupported(what):
                device.log("ignored", what=what, reason="this phone has none")

    # --- touches -------------------------------------------------------------------------------
    def _mapped(self, place: wire.Position, what: str) -> tuple[float, float] | None:
        """The point of the screen; None for one of a video that is no longer shown."""
        if not self._options.video:
            return float(place.x), float(place.y)
        width, height = self._device.size
        current = self._options.size_of_video(width, height)
        if (place.width, place.height) != current:
            self._device.log(
                "ignored",
                what=what,
                reason="made on a video of another size",
                x=place.x,
                y=place.y,
                width=place.width,
                height=place.height,
            )
            return None
        return place.x * width / current[0], place.y * height / current[1]

    def _touch(self, message: wire.InjectTouch) -> None:
        if message.action in HOVER_ACTIONS:
            return
        point = self._mapped(message.position, "touch")
        if point is None:
            return
        try:
            action = TouchAction(message.action)
        except ValueError:
            self._tell(f"Unknown touch action: {message.action}")
            return
        slot = self._slot(message.pointer)
        if slot is None:
            self._tell("Too many pointers for touch event")
            return
        pressure = 0.0 if action is TouchAction.UP else message.pressure
        self._device.touch(action, slot, *point, pressure, "scrcpy")
        if action is TouchAction.UP:
            self._pointers[slot] = None
        elif action is TouchAction.CANCEL:
            self._pointers = [None] * MAX_POINTERS

    def _slot(self, pointer: int) -> int | None:
        if pointer not in self._pointers:
            if None not in self._pointers:
                return None
            self._pointers[self._pointers.index(None)] = pointer
        return self._pointers.index(pointer)

    def _lift_all(self) -> None:
        for slot, pointer in enumerate(self._pointers):
            if pointer is not None:
                self._device.touch(TouchAction.CANCEL, slot, 0.0, 0.0, 0.0, "scrcpy")
        self._pointers = [None] * MAX_POINTERS

    # --- keys and apps ---------------------------------------------------------------------------
    def _press(self, keycode: int) -> None:
        self._device.key(keycode, True, 0, "scrcpy")
        self._device.key(keycode, False, 0, "scrcpy")

    def _type(self, text: str) -> None:
        for char in text:
            if not typeable(char):
                self._tell(f"Could not inject char u+{ord(char):04x}")
        known = "".join(char for char in text if typeable(char))
        if known:
            self._device.text(known, "scrcpy")

    def _start_app(self, name: str) -> None:
        fresh = name.startswith("+")
        name = name[1:] if fresh else name
        device = self._device
        package = name
        if name.startswith("?"):
            wanted = name[1:].casefold()
            found = [
                one
                for one in device.packages
                if device.app_label(one).casefold().startswith(wanted)
            ]
            if not found:
                self._tell(f'No app found for name "{name[1:]}"')
                return
            package = found[0]
        if fresh:
            device.stop_app(package)
        if not device.start_app(package, None, fresh):
            self._tell(f'No app found for package "{package}"')

    def _answer(self, message: bytes) -> None:
        if self._answers.full():
            self._tell("Device message dropped: the client does not read them")
            return
        self._answers.put_nowait(message)
