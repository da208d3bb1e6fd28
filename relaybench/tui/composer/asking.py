"""Questions behind the edits of a step; each gives the composite after it, or None.

All are to be awaited in a worker. What an edit refuses comes as an EditError with its reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from relaybench.domain.errors import AugmentationError, EditError
from relaybench.tui.dialogs.ask import Ask
from relaybench.tui.dialogs.pick import Choice, Pick

if TYPE_CHECKING:
    from textual.app import App

    from relaybench.composing.solve import Classes
    from relaybench.domain.problem import Composite, Step

#: What became of a composite, and what was done in words for the history.
Done = tuple["Composite", str]

_OWN = "(own)"
_OTHER = "(other)"


class StepQuestions:
    """Asks about the steps of one composite."""

    def __init__(self, app: App[int], composite: Composite, classes: Classes) -> None:
        self._app = app
        self._composite = composite
        self._classes = classes

    async def bind(self, label: str, slot: str = "") -> Done | None:
        """Which input, then which step is to feed it; those that cannot say why."""
        from relaybench.composing.editing import find_step
        from relaybench.composing.wiring import bind, possible_bindings, slots_of, unbind

        step = find_step(self._composite, label)
        slot = slot or await self._slot(step, slots_of(step, self._classes))
        if not slot:
            return None
        bound = step.inputs.get(slot)
        choices = [
            Choice(each.label, each.label, f"gives {each.answer!r}", each.refusal)
            for each in possible_bindings(self._composite, self._classes, label, slot)
        ]
        if bound is not None:
            choices.insert(0, Choice(_OWN, "nothing", "unbind: the instance's own data shows"))
        if not choices:
            raise EditError("there is no other step that could feed it; add one first")
        title = f"Which step feeds {label}.{slot}?"
        if all(each.refused for each in choices):
            title += " None can:"
        source = await self._pick(title, choices, bound)
        if source is None:
            return None
        if source == _OWN:
            return unbind(self._composite, label, slot), f"unbind {label}.{slot}"
        after = bind(self._composite, self._classes, label, slot, source)
        return after, f"bind {label}.{slot} to {source}"

    async def _slot(self, step: Step, slots: tuple[str, ...]) -> str:
        if not slots:
            raise EditError(f"step {step.label} ({step.use.class_ref}) takes no input")
        if len(slots) == 1:
            return slots[0]
        problem = self._classes[step.use.class_ref]
        instance = problem.instance(step.use.instance_id)
        data = instance.data if instance else {}
        choices = [
            Choice(
                slot,
                slot,
                f"← {step.inputs[slot]}" if slot in step.inputs else f"own {data.get(slot)!r}",
            )
            for slot in slots
        ]
        return await self._pick(f"Which input of step {step.label}?", choices) or ""

    async def unbind(self, label: str) -> Done | None:
        """Which of the bound inputs is to show its own data again."""
        from relaybench.composing.editing import find_step
        from relaybench.composing.wiring import unbind

        inputs = find_step(self._composite, label).inputs
        if not inputs:
            raise EditError(f"no input of step {label} is bound")
        slot: str | None = next(iter(inputs))
        if len(inputs) > 1:
            choices = [Choice(each, each, f"← {source}") for each, source in inputs.items()]
            slot = await self._pick(f"Which input of step {label} is to be unbound?", choices)
        if slot is None:
            return None
        return unbind(self._composite, label, slot), f"unbind {label}.{slot}"

    async def relabel(self, label: str) -> Done | None:
        """Another label."""
        from relaybench.composing.editing import relabel

        def check(text: str) -> str | None:
            try:
                relabel(self._composite, label, text)
            except EditError as error:
                return str(error)
            return None

        new = await self._ask(
            f"Another label for step {label}", label, "Inputs bound to it and the answer follow.",
            check,
        )  # fmt: skip
        if new is None:
            return None
        return relabel(self._composite, label, new), f"relabel {label} to {new}"

    async def swap(self, label: str) -> Done | None:
        """Another instance of the same class, or of one that no step uses."""
        from relaybench.composing.editing import find_step
        from relaybench.composing.wiring import swap
        from relaybench.domain.problem import InstanceRef

        use = find_step(self._composite, label).use
        chosen = _OTHER
        if use.class_ref in self._classes:
            choices = self._instances(use.class_ref, also_other=True)
            title = f"Which instance of {use.class_ref} for step {label}?"
            chosen = await self._pick(title, choices, str(use)) or ""
        if chosen == _OTHER:
            class_ref = await self._pick(f"Which class for step {label}?", self._free_classes())
            if class_ref is None:
                return None
            title = f"Which instance of {class_ref} for step {label}?"
            chosen = await self._pick(title, self._instances(class_ref)) or ""
        ref = InstanceRef.parse(chosen)
        if ref is None:
            return None
        return swap(self._composite, self._classes, label, ref), f"swap {label} to {chosen}"

    def _instances(self, class_ref: str, *, also_other: bool = False) -> list[Choice]:
        choices = [
            Choice(f"{class_ref}:{each.id}", each.id, _data(each.data, each.answer))
            for each in self._classes[class_ref].instances
        ]
        if also_other:
            choices.append(Choice(_OTHER, "another class …"))
        return choices

    def _free_classes(self) -> list[Choice]:
        used = {step.use.class_ref: step.label for step in self._composite.steps}
        return [
            Choice(
                ref,
                ref,
                self._classes[ref].title,
                f"used by step {used[ref]}" if ref in used else "",
            )
            for ref in sorted(self._classes, key=lambda each: (each in used, each))
        ]

    async def augment(self, label: str) -> Done | None:
        """One more augmentation at the end, each shown with what it would give."""
        from relaybench.composing.editing import find_step, set_augment

        step = find_step(self._composite, label)
        added = await self._augmentation(f"What is to be done to the answer of {label}?", step)
        if added is None:
            return None
        return set_augment(self._composite, label, [*step.augment, added]), f"augment {label}"

    async def _augmentation(self, title: str, step: Step) -> str | None:
        from relaybench.composing.wiring import solved_alone
        from relaybench.domain.augmentation import KINDS

        solved = solved_alone(self._composite, self._classes).get(step.label)
        answer = solved.answer if solved else None
        choices = [
            Choice(
                kind.name,
                f"{kind.name}:N" if kind.takes_number else kind.name,
                f"→ {kind.change(answer, kind.low or 0)!r}" if answer is not None else "",
            )
            for kind in KINDS.values()
        ]
        name = await self._pick(title, choices)
        if name is None or not KINDS[name].takes_number:
            return name
        kind = KINDS[name]

        def check(text: str) -> str | None:
            from relaybench.domain.augmentation import parse_augmentation

            try:
                parse_augmentation(f"{name}:{text}")
            except AugmentationError as error:
                return str(error)
            return None

        hint = f"A whole number from {kind.low} to {kind.high}."
        number = await self._ask(f"{name}: which number?", str(kind.low), hint, check)
        return None if number is None else f"{name}:{number}"

    async def augmentation_at(self, label: str, place: int) -> Done | None:
        """What is to be done with one of the augmentations that there are."""
        from relaybench.composing.editing import find_step, moved, set_augment

        step = find_step(self._composite, label)
        now = step.augment
        if not 0 <= place < len(now):
            return await self.augment(label)
        name = f"augmentation {now[place]}"
        choices = [
            Choice("replace", "Replace it"),
            Choice("remove", "Remove it"),
            Choice("up", "Move it up", refused="" if place else "it is the first"),
            Choice(
                "down", "Move it down", refused="" if place < len(now) - 1 else "it is the last"
            ),
            Choice("add", "Add another one at the end"),
        ]
        chosen = await self._pick(f"Step {label}, {name}", choices)
        if chosen == "add":
            return await self.augment(label)
        if chosen == "replace":
            other = await self._augmentation(f"What instead of {now[place]}?", step)
            if other is None:
                return None
            after = (*now[:place], other, *now[place + 1 :])
        elif chosen == "remove":
            after = (*now[:place], *now[place + 1 :])
        elif chosen in ("up", "down"):
            after = moved(now, place, -1 if chosen == "up" else 1, name)
        else:
            return None
        return set_augment(self._composite, label, after), f"augment {label}"

    async def _pick(
        self, title: str, choices: list[Choice], current: str | None = None
    ) -> str | None:
        return await self._app.push_screen_wait(Pick(title, choices, current=current))

    async def _ask(self, title: str, value: str, hint: str, check: Check) -> str | None:
        return await self._app.push_screen_wait(Ask(title, value=value, hint=hint, check=check))


if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Check = Callable[[str], str | None]


def _data(data: Mapping[str, str], answer: str) -> str:
    given = ", ".join(f"{name} = {value!r}" for name, value in data.items())
    return f"{given + '  ' if given else ''}= {answer!r}"
