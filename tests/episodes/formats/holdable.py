"""Episodes as Taptrail's lines, and what is made of them, can hold them; with real pictures."""

import json
from dataclasses import replace

from episodes import actions as a
from episodes.episodes import Actor, EpisodeState
from episodes.formats.input_files import is_file_name
from episodes.formats.picture_store import LibraryPictureStore
from episodes.store.stills import StillFiles
from tests.samples.drawn import png


def holdable(episode):
    """The episode as this format can hold it: nothing private, no video, its pictures kept."""
    last = episode.steps[-1].action if episode.steps else None
    tries = episode.attempt
    ended = episode.finish or (last if isinstance(last, a.Finish) else None)
    whole = episode.state in (EpisodeState.FINISHED, EpisodeState.INCOMPLETE)
    return replace(
        episode,
        name=episode.name if is_file_name(episode.name) else "e-0001",
        state=episode.state if whole else EpisodeState.INCOMPLETE,
        segments=(),
        private=False,
        actor=Actor("agent", named(episode.actor.author), episode.actor.agent),
        attempt=tries and replace(tries, number=1 + abs(tries.number) % 9, outcome="failed"),
        started_utc=episode.started_utc and "2026-05-14T10:24:00+00:00",
        ended_utc=episode.ended_utc and "2026-05-14",
        finish=ended,
        declared_steps=abs(episode.declared_steps) if episode.declared_steps else None,
        device=replace(episode.device, native=""),
        extra=json.dumps({"said": episode.extra}) if episode.extra else "",
        steps=tuple(
            replace(
                one,
                private=False,
                extra=json.dumps({"said": one.extra}) if one.extra else "",
                source="glass",
                regions=tuple(
                    replace(
                        region,
                        mask=region.mask and replace(region.mask, png=png()),
                        chosen=region.chosen and region is one.target,
                        author=named(region.author),
                    )
                    for region in one.regions
                ),
                golds=tuple(
                    replace(gold, number=number, role="correction", author=named(gold.author))
                    for number, gold in enumerate(one.golds, start=1)
                ),
            )
            for one in episode.steps
        ),
    )


def named(author):
    return author and replace(author, kind="program")


class Pictures:
    """A real picture for each one that hypothesis made up."""

    def __init__(self, folder):
        self.stills = StillFiles(folder / "library")
        self.picture_store = LibraryPictureStore(self.stills)
        self._folder = folder

    def real(self, frame):
        if frame is None or frame.still is None:
            return frame
        shade = int(frame.still.sha256[:2], 16)
        path = self._folder / f"{shade}.png"
        path.write_bytes(png(shade=shade))
        kept = self.picture_store.keep(path)
        source, lossless = frame.still.source, frame.still.lossless
        return replace(frame, still=replace(kept, source=source, lossless=lossless))

    def in_all(self, episode):
        return replace(
            episode,
            final=self.real(episode.final),
            steps=tuple(
                replace(one, frame=self.real(one.frame), after=self.real(one.after))
                for one in episode.steps
            ),
        )
