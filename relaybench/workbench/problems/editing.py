"""Change the library as a whole: new classes, copies, new names, states, removals.

Every change is made in all files that it concerns or in none. What runs have frozen stays as it
is: an item keeps the prompt, the key and the names that it was sent with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from relaybench.domain.errors import ProblemError, UsageError
from relaybench.domain.problem import (
    ID_PATTERN,
    Domain,
    Instance,
    InstanceRef,
    ProblemClass,
    Status,
)
from relaybench.library.load import Library, LoadedClass
from relaybench.library.save import class_data, composite_data, preview, refuse_twins
from relaybench.toml_files.source import read_text
from relaybench.workbench.problems.authoring import find_class, find_instance
from relaybench.workbench.problems.drafts import ClassDraft, new_class_draft
from relaybench.workbench.problems.rewriting import Rewrite, rewrite
from relaybench.workbench.problems.saving import save_draft
from relaybench.workbench.workspace import Workspace

_ID_FORM = "use small letters, digits and single - _ . between them"


@dataclass(frozen=True, slots=True)
class Edit:
    """What was changed: ``target`` is the name of the class or instance now, or that it had.

    ``files`` are the paths of the files written or removed, as a user would type them.
    """

    target: str
    files: tuple[str, ...]


def class_name(text: str, domain: str = "") -> tuple[Domain, str]:
    """Read ``domain/class``, or ``class`` alone where the domain is given; raises UsageError."""
    folder, slash, class_id = text.rpartition("/")
    folder = folder if slash else domain
    if folder not in {each.value for each in Domain}:
        allowed = ", ".join(each.value for each in Domain)
        raise UsageError(f"{text!r} names no class: write DOMAIN/CLASS; the domains are {allowed}")
    _check_id(class_id, "a class")
    return Domain(folder), class_id


def _check_id(text: str, what: str) -> None:
    if not ID_PATTERN.fullmatch(text):
        raise UsageError(f"{text!r} cannot be the name of {what}: {_ID_FORM}")


def blank_class(library: Library, name: str, title: str = "") -> ProblemClass:
    """A class to be filled in, with one instance; raises UsageError for a name that is taken."""
    domain, class_id = class_name(name)
    _refuse_taken(library, f"{domain.value}/{class_id}")
    shown = title or class_id.replace("-", " ").capitalize()
    return ProblemClass(class_id, domain, shown, "", "", instances=(Instance("first", {}, ""),))


def new_class(
    workspace: Workspace, name: str, title: str = "", *, private: bool = False
) -> ClassDraft:
    """Write the file of a class to be filled in; ``check`` then says what is to be filled in."""
    problem = blank_class(workspace.library(), name, title)
    return save_draft(new_class_draft(workspace, problem, private=private))


def duplicate(workspace: Workspace, target: str, new: str) -> Edit:
    """Copy a class under another name, or an instance within its class as a draft.

    The copy of a class keeps the remarks of its file. Raises UsageError for a name that is taken
    or cannot be one.
    """
    library = workspace.library()
    if ":" not in target.removeprefix("library:"):
        loaded = find_class(library, target)
        domain, class_id = class_name(new, loaded.problem.domain.value)
        _refuse_taken(library, f"{domain.value}/{class_id}")
        change = _moved(workspace, loaded, domain, class_id)
        rewrite([change])
        return Edit(f"{domain.value}/{class_id}", (change.shown,))
    loaded, instance = find_instance(library, target)
    new_id = _new_instance_id(loaded, new)
    rows = list(loaded.problem.instances)
    rows.insert(rows.index(instance) + 1, replace(instance, id=new_id, status=Status.DRAFT))
    return _saved(loaded, rows, new_id)


def rename(workspace: Workspace, target: str, new: str) -> Edit:
    """Give a class or an instance another name; every composite that uses it follows.

    A class given as another ``domain/class`` moves to that domain. Raises UsageError for a name
    that is taken or cannot be one, ProblemError where a file that uses it cannot be changed
    safely; nothing is changed then.
    """
    library = workspace.library()
    if ":" not in target.removeprefix("library:"):
        return _rename_class(workspace, library, find_class(library, target), new)
    loaded, instance = find_instance(library, target)
    new_id = _new_instance_id(loaded, new)
    old, ref = instance.id, loaded.problem.ref
    rows = [replace(each, id=new_id) if each is instance else each
            for each in loaded.problem.instances]  # fmt: skip
    own = _changed_class(loaded, rows)

    def renamed(use: InstanceRef) -> InstanceRef:
        same = use.class_ref == ref and use.instance_id == old
        return replace(use, instance_id=new_id) if same else use

    changes = [own, *_following(workspace, library, f"{ref}:{old}", renamed)]
    rewrite(changes)
    return Edit(f"{ref}:{new_id}", tuple(each.shown for each in changes))


def _rename_class(workspace: Workspace, library: Library, loaded: LoadedClass, new: str) -> Edit:
    old = loaded.problem.ref
    domain, class_id = class_name(new, loaded.problem.domain.value)
    ref = f"{domain.value}/{class_id}"
    _refuse_taken(library, ref)
    made = _moved(workspace, loaded, domain, class_id)
    gone = Rewrite(loaded.source.path, loaded.source.shown, loaded.source.text, None)

    def renamed(use: InstanceRef) -> InstanceRef:
        return InstanceRef(domain.value, class_id, use.instance_id) if use.class_ref == old else use

    changes = [made, *_following(workspace, library, old, renamed), gone]
    rewrite(changes)
    return Edit(ref, tuple(each.shown for each in changes))


def set_status(workspace: Workspace, target: str, status: Status) -> Edit:
    """Set the status of an instance, or of all instances of a class."""
    library = workspace.library()
    if ":" in target.removeprefix("library:"):
        loaded, chosen = find_instance(library, target)
        ids = {chosen.id}
    else:
        loaded = find_class(library, target)
        ids = {each.id for each in loaded.problem.instances}
    rows = [replace(each, status=status) if each.id in ids else each
            for each in loaded.problem.instances]  # fmt: skip
    edit = _saved(loaded, rows, "")
    return replace(edit, target=target.removeprefix("library:"))


def delete(workspace: Workspace, target: str) -> Edit:
    """Remove an instance, or a class with its file.

    Raises UsageError, naming the composites, while any of them uses it.
    """
    library = workspace.library()
    name = target.removeprefix("library:")
    if ":" not in name:
        loaded = find_class(library, name)
        _refuse_used(workspace, library, name)
        source = loaded.source
        rewrite([Rewrite(source.path, source.shown, source.text, None)])
        return Edit(name, (source.shown,))
    loaded, instance = find_instance(library, name)
    _refuse_used(workspace, library, name)
    rows = [each for each in loaded.problem.instances if each is not instance]
    return replace(_saved(loaded, rows, ""), target=name)


def users_of(library: Library, name: str) -> list[str]:
    """Names of the composites that use a class or an instance."""
    return sorted(
        ref
        for ref, loaded in library.composites.items()
        if any(name in (step.use.class_ref, str(step.use)) for step in loaded.composite.steps)
    )


def _refuse_used(workspace: Workspace, library: Library, name: str) -> None:
    users = users_of(library, name)
    if users:
        raise UsageError(
            f"{name} is used by {', '.join(users)}; nothing was removed. Give those composites "
            "another instance first, or set its status to retired"
        )
    _refuse_hidden_uses(workspace, library, name)


def _refuse_hidden_uses(workspace: Workspace, library: Library, name: str) -> None:
    """A composite that could not be loaded may use a name too: it would be left behind."""
    loaded = {each.source.shown for each in library.composites.values()}
    for shown in library.files:
        path = workspace.root / shown
        if shown in loaded or path.parent.parent.name != "sets":
            continue
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError):
            continue
        if name in text:
            found = [each for each in library.findings if each.file == shown]
            raise ProblemError(
                f"{shown} names {name} but cannot be used as it is, so that it could not follow; "
                "nothing was changed. Mend it first.",
                found,
            )


def _refuse_taken(library: Library, ref: str) -> None:
    if ref in library.classes:
        raise UsageError(f"there is a class {ref} already: {library.classes[ref].source.shown}")


def _new_instance_id(loaded: LoadedClass, new: str) -> str:
    ref, colon, new_id = new.rpartition(":")
    if colon and ref.removeprefix("library:") != loaded.problem.ref:
        raise UsageError(
            f"an instance stays in its class {loaded.problem.ref}; give its new name alone"
        )
    _check_id(new_id, "an instance")
    if loaded.problem.instance(new_id):
        raise UsageError(f"{loaded.problem.ref} has an instance {new_id} already")
    return new_id


def _saved(loaded: LoadedClass, rows: list[Instance], new_id: str) -> Edit:
    change = _changed_class(loaded, rows)
    rewrite([change])
    return Edit(f"{loaded.problem.ref}:{new_id}", (change.shown,))


def _changed_class(loaded: LoadedClass, rows: list[Instance]) -> Rewrite:
    source = loaded.source
    refuse_twins(source)
    data = class_data(replace(loaded.problem, instances=tuple(rows)))
    text = preview(source, {"instances": data["instances"]})
    return Rewrite(source.path, source.shown, source.text, text)


def _moved(workspace: Workspace, loaded: LoadedClass, domain: Domain, class_id: str) -> Rewrite:
    """The class's text under another name, as a new file."""
    problem = replace(loaded.problem, domain=domain, id=class_id)
    file = new_class_draft(workspace, problem, private=loaded.private).file
    text = preview(loaded.source, {"id": class_id, "domain": domain.value})
    return Rewrite(file.path, file.shown, None, text)


def _following(
    workspace: Workspace,
    library: Library,
    name: str,
    renamed: Callable[[InstanceRef], InstanceRef],
) -> list[Rewrite]:
    """The changes of all composites that use a class or an instance."""
    _refuse_hidden_uses(workspace, library, name)
    changes = []
    for user in users_of(library, name):
        loaded = library.composites[user]
        steps = tuple(replace(step, use=renamed(step.use)) for step in loaded.composite.steps)
        data = composite_data(replace(loaded.composite, steps=steps))
        text = preview(loaded.source, {"steps": data["steps"]})
        source = loaded.source
        changes.append(Rewrite(source.path, source.shown, source.text, text))
    return changes
