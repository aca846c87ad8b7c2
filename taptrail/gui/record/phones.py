"""Lists, connects and disconnects phones."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from episodes.errors import KnownError
from recorder.device.interface import ListedPhone
from taptrail.gui.record.connect import ConnectPage
from taptrail.gui.work import WorkThread
from taptrail.usecases.live import Connected, Desk
from taptrail.words import tr

_LOOK_MS = 3000


class Phones(QObject):
    """The mirrored phone, one at a time; blocking calls run on the phone thread.

    Signals:
        came: the Connected phone that is now mirrored.
        gone: the phone is no longer mirrored.
        failed: the KnownError of a failed disconnect.

    Attributes:
        connected: the mirrored phone, or None.
        busy: whether a phone is being connected or paired.
    """

    came = Signal(object)
    gone = Signal()
    failed = Signal(object)

    def __init__(self, thread: WorkThread[Desk], page: ConnectPage) -> None:
        super().__init__(page)
        self.connected: Connected | None = None
        self.busy = False
        self._thread, self._page = thread, page
        self._looking = QTimer(self)
        self._looking.setInterval(_LOOK_MS)
        self._looking.timeout.connect(self.look)
        page.demo.connect(self.start_demo_phone)
        page.serial.connect(self.connect_phone)
        page.again.connect(self.look)
        page.paired.connect(self.pair)

    def watch(self) -> None:
        """Polls for phones while none is connected."""
        if self.connected is None and not self.busy:
            self.look()
            self._looking.start()

    def stop(self) -> None:
        """Stops polling."""
        self._looking.stop()

    def look(self) -> None:
        """Reloads the list of phones."""
        if self.connected is None and not self.busy and self._page.isVisible():
            self._thread.run(
                lambda desk: desk.phones(),
                owner=self,
                done=self.show_phones,
                failed=lambda error: self._page.error.tell(error, about="list"),
            )

    def show_phones(self, phones: tuple[ListedPhone, ...]) -> None:
        """Shows the list of phones, if none is connected."""
        if self.connected is None:
            self._page.error.settle("list")
            self._page.show_phones(phones)

    def connect_phone(self, serial: str) -> None:
        """Mirrors a phone."""
        self._wait_for(tr("Connecting {serial}", serial=serial), lambda d: d.connect(serial))

    def start_demo_phone(self) -> None:
        """Starts the demo phone and mirrors it."""
        self._wait_for(tr("Starting the demo phone"), lambda desk: desk.start_demo_phone())

    def pair(self, address: str, code: str) -> None:
        """Pairs this computer with a phone's wireless debugging; does not connect."""
        if self.busy:
            return
        self._begin(tr("Pairing with {address}", address=address))

        def done(_: None) -> None:
            self._settle()
            self._page.say(
                tr("Paired. Now connect it by the address under “IP address & Port” on the phone.")
            )

        def failed(error: KnownError) -> None:
            self._settle()
            self._page.error.tell(error)

        self._thread.run(
            lambda desk: desk.pair(address, code), owner=self, done=done, failed=failed
        )

    def let_go(self) -> None:
        """Disconnects the phone; a running recording ends without a claimed outcome."""
        self.connected = None
        self._thread.run(
            lambda desk: desk.disconnect(),
            owner=self,
            done=lambda _: self.gone.emit(),
            failed=self.failed.emit,
        )

    def _wait_for(self, words: str, job: Callable[[Desk], Connected]) -> None:
        if self.busy:
            return
        self._looking.stop()
        self._begin(words)

        def done(connected: Connected) -> None:
            self._settle()
            self.connected = connected
            self.came.emit(connected)

        def failed(error: KnownError) -> None:
            self._settle()
            self._page.error.tell(error)
            self._looking.start()

        self._thread.run(job, owner=self, done=done, failed=failed)

    def _begin(self, words: str) -> None:
        self.busy = True
        self._page.set_busy(words)

    def _settle(self) -> None:
        self.busy = False
        self._page.set_busy("")
