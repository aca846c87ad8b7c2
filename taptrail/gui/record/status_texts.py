"""Texts of the Record page: status bar, the waiting row of the step list, and errors."""

from __future__ import annotations

from time import monotonic_ns

from episodes.errors import KnownError
from recorder.events import SessionState
from taptrail.gui import phrases
from taptrail.gui.components.shell import StatusBar
from taptrail.gui.record.hints import key_hints
from taptrail.gui.record.take import RecordingRun
from taptrail.usecases.live import Connected
from taptrail.words import tr

QUESTION = (
    "A recording is under way",
    "Quitting ends it. What was done so far is kept, without saying how it ended.",
    "End it and quit",
)


def show_status(
    status: StatusBar, take: RecordingRun, *, connected: bool, in_phone: bool, modifier: str
) -> None:
    """Shows the saved state, the keyboard focus, and the active keys in the status bar."""
    if not connected:
        status.say(tr("No phone"), "cellphone-off", "text2")
        status.say_health(tr("Detects cables automatically"))
    else:
        if take.state is SessionState.PAUSED:
            status.say(tr("Paused"), "pause", "mismatch")
        elif take.running:
            status.say(tr("Saved as you go"))
        else:
            status.say(tr("Nothing is recorded"), "circle-outline", "text3")
        if in_phone:
            status.say_health(tr("Other keys go to the phone"))
        else:
            status.say_health(tr("Click the phone to type on it"))
    hints = key_hints(
        modifier,
        connected=connected,
        running=take.running,
        in_phone=in_phone,
        paused=take.state is SessionState.PAUSED,
    )
    status.show_keys(hints)


def waiting_words(take: RecordingRun) -> str:
    """Returns what the recording is waiting for, as text."""
    if take.typing:
        return tr("Typing “{text}”", text=take.typing)
    if take.state is not SessionState.RECORDING:
        return tr("Nothing is recorded until you continue")
    thinking = take.time.thinking_us(monotonic_ns())
    return tr("Waiting for a touch · thinking {time}", time=phrases.seconds(thinking))


def locked(phone: Connected) -> KnownError:
    """Returns the message that the phone is locked, and what to do."""
    return KnownError(
        tr("reach the apps of {name}", name=phone.name),
        tr("its lock screen is in front"),
        tr(
            "Unlock it here with the mouse, or on the phone: many phones keep their code pad out "
            "of the picture."
        ),
    )
