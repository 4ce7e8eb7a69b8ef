"""The portals of the demo world: which public bodies buy there, and what they ask for.

All names are coined. What is asked for changes over the years: some of it grows, some fades, some comes
before a fiscal year ends; some buyers stand for most of a category, and in some hardly anybody competes.
"""

from __future__ import annotations

from typing import NamedTuple

from demo import remarkable


class Body(NamedTuple):
    """A public body that buys."""

    name: str
    lei: str = ""


class Purchase(NamedTuple):
    """What is asked for, by whom and how often."""

    category: str  # the portal's own word
    main: str  # OCDS: goods, works or services
    asked: tuple[str, ...]  # what titles begin with
    monthly: int  # processes in a month at the beginning of 2022
    growth: int  # how many more at the end of 2024
    chief: int  # place of the buyer who asks most often
    share: int  # of a hundred processes, how many are the chief's before others have a chance
    single: int  # of a hundred, how many have a single bidder
    value: int  # of a usual contract, in thousands


class Portal(NamedTuple):
    """Where public bodies of a country publish their tenders."""

    country: str
    country_name: str
    currency: str
    prefix: str  # of every ocid
    forms: tuple[str, ...]  # of companies that are known from here only
    year_end: int  # the month in which the fiscal year ends
    bodies: tuple[Body, ...]
    purchases: tuple[Purchase, ...]
    places: tuple[str, ...]


ZA = Portal(
    country="ZA",
    country_name="South Africa",
    currency="ZAR",
    prefix="ocds-demoza",
    forms=("(Pty) Ltd", "(Pty) Ltd", "Limited"),
    year_end=3,
    bodies=(
        Body("Department of Rural Roads and Bridges"),
        Body("Department of School Buildings"),
        Body("Department of Clinics and Dispensaries"),
        Body("City of Lundareva"),
        Body("Mzilokandu Metropolitan Municipality"),
        Body("Kwavimoru Local Municipality"),
        Body("Tshelanodi District Municipality"),
        Body("Umvolireka Water Authority"),
        Body("Vondelashi University of Technology"),
        Body("Rolihanavu Regional Hospital"),
    ),
    purchases=(
        Purchase(
            "Roads and bridges",
            "works",
            ("Resurfacing of roads", "Repair of a bridge"),
            6,
            1,
            0,
            70,
            10,
            9_000,
        ),
        Purchase("Sewerage", "works", ("Upgrade of sewers", "Sanitation of schools"), 3, 1, 6, 25, 15, 4_000),
        Purchase(
            "Security services", "services", ("Guarding of offices", "Access control"), 4, 0, 3, 10, 5, 1_200
        ),
        Purchase(
            "Medical supplies", "goods", ("Supply of vaccines", "Supply of gloves"), 6, -3, 9, 60, 20, 2_500
        ),
        Purchase(
            "Solar and electrical equipment", "goods", ("Supply of solar panels",), 1, 9, 4, 15, 25, 3_000
        ),
        Purchase("Stationery", "goods", ("Supply of paper", "Supply of toner"), 4, -2, 1, 10, 5, 150),
        Purchase("Information technology", "services", ("Support of a network",), 2, 3, 8, 35, 45, 1_800),
        Purchase("Catering", "services", ("Meals for schools", "Catering of meetings"), 2, 0, 1, 50, 30, 90),
    ),
    places=("Lundareva", "Kwavimoru", "Tshelanodi", "Mzilokandu", "Umvolireka", "Vondelashi"),
)

KE = Portal(
    country="KE",
    country_name="Kenya",
    currency="KES",
    prefix="ocds-demoke",
    forms=("Limited", "Limited", "PLC"),
    year_end=6,
    bodies=(
        Body("Ministry of Feeder Roads"),
        Body("Ministry of Irrigation Works"),
        Body("Ministry of School Meals"),
        Body("County Government of Kithovari"),
        Body("County Government of Mbelunzi"),
        Body("County Government of Tarokesha"),
        Body(remarkable.PUBLIC_BODY.name, remarkable.PUBLIC_BODY.lei),
        Body("Kenovari Referral Hospital"),
    ),
    purchases=(
        Purchase("works", "works", ("Grading of roads", "Construction of a weir"), 4, 1, 0, 55, 10, 40_000),
        Purchase("goods", "goods", ("Supply of school meals", "Supply of pumps"), 4, 3, 2, 30, 20, 8_000),
        Purchase(
            "services", "services", ("Audit of stores", "Insurance of vehicles"), 3, -1, 7, 15, 60, 3_000
        ),
    ),
    places=("Kithovari", "Mbelunzi", "Tarokesha", "Kenovari", "Mamboleshu"),
)

NG = Portal(
    country="NG",
    country_name="Nigeria",
    currency="NGN",
    prefix="ocds-demong",
    forms=("Nigeria Limited", "Limited", "PLC"),
    year_end=12,
    bodies=(
        Body("Federal Ministry of Inland Harbours"),
        Body("Federal Ministry of Grain Reserves"),
        Body("Federal University Dorimbashe"),
        Body("Zumakoriva State Roads Agency"),
    ),
    purchases=(
        Purchase(
            "works", "works", ("Dredging of a harbour", "Rebuilding of a quay"), 2, 1, 0, 50, 15, 90_000
        ),
        Purchase(
            "goods", "goods", ("Supply of grain", "Supply of laboratory benches"), 2, 0, 1, 40, 30, 15_000
        ),
    ),
    places=("Dorimbashe", "Zumakoriva", "Ogulenashi"),
)
