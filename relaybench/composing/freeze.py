"""Freeze a composite, or one subproblem, into an item: the exact text to send and its key.

Order of the prompt: bloat in plain text, then the problem, encoded or not. The bloat stays outside
the code as in the paper's example, where the preamble stands before the coded prompt.
"""

from __future__ import annotations

import hashlib

from encoder import Encoded, Instructions, bloat, encode
from relaybench.composing.estimate import estimate_tokens
from relaybench.composing.render import plain_prompt, single_prompt
from relaybench.composing.solve import Classes, final_answer, solve
from relaybench.composing.style import Style
from relaybench.domain.item import Item, ItemKind, ItemStep
from relaybench.domain.problem import (
    Composite,
    Encoding,
    Instance,
    ProblemClass,
    Step,
    Variant,
)


def default_seed(name: str) -> int:
    """The encoding seed of a composite that gives none: the same for the same name, always."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")


def encoding_for(composite: Composite, variant: Variant) -> Encoding | None:
    """How a variant of the composite is encoded, None for plain text."""
    if variant in (Variant.PLAIN, Variant.BLOATED):
        return None
    if variant is Variant.ENCODED and composite.encoding is None:
        return Encoding(default_seed(composite.ref))
    return composite.encoding


def encode_prompt(text: str, encoding: Encoding, style: Style) -> Encoded:
    """Put a plain prompt into the nonce code, with the style's own instructions around it."""
    instructions = Instructions(style.texts["encoding.before"], style.texts["encoding.after"])
    return encode(
        text, seed=encoding.seed, twin_share=encoding.twin_share, instructions=instructions
    )


def freeze(
    composite: Composite,
    classes: Classes,
    style: Style,
    variant: Variant = Variant.AS_WRITTEN,
) -> Item:
    """Freeze one form of a composite that lint has passed.

    ``as-written`` follows the file; ``plain`` has neither code nor bloat; ``bloated`` has the
    file's bloat and no code; ``encoded`` is encoded even where the file does not ask for it, with
    the file's bloat. All share one key.
    """
    solved = solve(composite, classes)
    prompt = plain_prompt(composite, classes, style)
    encoding = encoding_for(composite, variant)
    substitutions = dictionary_size = 0
    if encoding:
        encoded = encode_prompt(prompt, encoding, style)
        prompt = encoded.prompt
        substitutions, dictionary_size = encoded.substitutions, len(encoded.codebook)
    padding = composite.bloat if variant is not Variant.PLAIN else None
    if padding:
        prompt = f"{bloat(padding.characters, padding.seed)}\n\n{prompt}"
    steps = tuple(
        ItemStep(
            step.label,
            str(step.use),
            solved[step.label].problem.domain.value,
            solved[step.label].answer,
            step.label in composite.answer_labels,
            tuple(step.inputs.items()),
            step.augment,
        )
        for step in _answer_first(composite)
    )
    return Item(
        set_name=composite.set_name,
        name=composite.id,
        kind=ItemKind.COMPOSITE,
        prompt=prompt,
        key=final_answer(composite, solved),
        separator=composite.separator,
        steps=steps,
        domains=tuple(sorted({step.domain for step in steps})),
        encoded=encoding is not None,
        encoding_seed=encoding.seed if encoding else None,
        bloat_characters=padding.characters if padding else 0,
        substitutions=substitutions,
        dictionary_size=dictionary_size,
        estimated_tokens=estimate_tokens(prompt),
    )


def _answer_first(composite: Composite) -> list[Step]:
    """Steps in the order of the final answer, then those that only feed others."""
    by_label = {step.label: step for step in composite.steps}
    first = [by_label[label] for label in composite.answer_labels]
    return first + [step for step in composite.steps if step not in first]


def freeze_single(problem: ProblemClass, instance: Instance, style: Style) -> Item:
    """Freeze one subproblem on its own, as a one-step item of the set ``library``."""
    prompt = single_prompt(problem, instance, style)
    step = ItemStep("A", f"{problem.ref}:{instance.id}", problem.domain.value, instance.answer)
    return Item(
        set_name="library",
        name=f"{problem.ref}:{instance.id}",
        kind=ItemKind.SINGLE,
        prompt=prompt,
        key=instance.answer,
        steps=(step,),
        domains=(problem.domain.value,),
        estimated_tokens=estimate_tokens(prompt),
    )
