"""What the screen Models says of itself, and its keys."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

NO_MODEL: Final = "No model fits the filter; Esc takes it away."
NO_CATALOG: Final = (
    "Models cannot be shown: models.toml or prices.toml has a fault, which F9 tells by file, line "
    "and key. Mend it in an editor; it is read again by itself."
)

EXPLAINS: Final = (
    "A model config is a provider's model with an effort, tools and further settings; two "
    "efforts are two configs. A cohort is a named list of configs that a run is sent to.\n\n"
    "What is in bold is yours, from models.toml in the workspace; the rest is shipped and is "
    "never changed: to change it writes one of yours under the same name. Comments and all "
    "else in your file stay as they are.\n\n"
    "Tick models with Space: the number is the place in the cohort that ^s saves. Enter on a "
    "cohort ticks its members. p sends one tiny prompt to the ticked models, or to the one "
    "under the cursor, and tells whether key, model id, tools and effort work.\n\n"
    "Keys are never shown and never written: a model names the environment variable that "
    "holds its key."
)
BINDINGS: Final = (
    Binding(
        "ctrl+s",
        "save_cohort",
        "Cohort",
        id="models.save-cohort",
        tooltip="Save the ticked models as a cohort",
    ),
    Binding("e", "edit", "Edit", id="models.edit", tooltip="Change settings of the model"),
    Binding(
        "d",
        "duplicate",
        "Copy",
        id="models.duplicate",
        tooltip="The same model under another name, with other settings",
    ),
    Binding(
        "p",
        "ping",
        "Ping",
        id="models.ping",
        tooltip="Try the ticked models, the cohort or the model with one tiny prompt",
    ),
    Binding("slash", "filter", "Filter", id="models.filter", tooltip="Show only what fits words"),
    Binding("n", "new", "New", show=False, id="models.new", tooltip="A new model"),
    Binding(
        "delete,x",
        "remove",
        "Remove",
        show=False,
        id="models.remove",
        tooltip="Take a model or cohort of yours out of models.toml",
    ),
    Binding(
        "u", "untick", "Untick all", show=False, id="models.untick", tooltip="Untick all models"
    ),
    Binding(
        "escape",
        "back",
        "Back",
        show=False,
        id="models.back",
        tooltip="Out of the filter, back to the table",
    ),
)
