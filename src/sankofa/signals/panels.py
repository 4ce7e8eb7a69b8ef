"""The list of all panels."""

from __future__ import annotations

from sankofa.signals.award_lead_time import AWARD_LEAD_TIME
from sankofa.signals.panel import Panel
from sankofa.signals.procurement_demand import PROCUREMENT_DEMAND
from sankofa.signals.single_bidder_share import SINGLE_BIDDER_SHARE
from sankofa.signals.supplier_concentration import SUPPLIER_CONCENTRATION
from sankofa.signals.tender_value import TENDER_VALUE

PANELS: dict[str, Panel] = {
    panel.key: panel
    for panel in (
        PROCUREMENT_DEMAND,
        SUPPLIER_CONCENTRATION,
        AWARD_LEAD_TIME,
        SINGLE_BIDDER_SHARE,
        TENDER_VALUE,
    )
}
