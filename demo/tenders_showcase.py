"""Processes to tell stories with: they stand in every world, under numbers that never change.

ZA 1  The value of a network's support is 12.0 million ZAR in the package of March 2023 and 15.5 million in
      that of April, under the same release id. Kwezolira Telecoms is awarded it on 2023-06-12.
ZA 2  The value of a bridge is 8.0 million ZAR (June 2023), 6.4 million (July), 8.0 million again (August).
ZA 3  A sole trader is awarded the meals of a school on 2023-10-20, and the award's text names her.
KE 1  Nyalumera Foods is awarded school meals on 2023-04-11 and signs on 2023-05-02.
KE 2  Kithulera Steel, the only bidder, is awarded a weir on 2023-07-03; the award is cancelled on 2023-08-21.
KE 3  A road is paid in US dollars and awarded to two bidders together on 2024-03-11.
NG 1  Dakolunyi Retail is awarded grain on 2023-12-05, on a portal of which nothing is served.
"""

from __future__ import annotations

from datetime import date

from demo import persons, remarkable
from demo.organisations import of_issuer
from demo.tenders_portals import KE, NG, ZA
from demo.tenders_processes import FOREIGN_MONEY, Process
from demo.tenders_suppliers import Supplier, registered
from demo.tenders_texts import Contact, Wording, described, remark
from demo.world import World

MILLION = 1_000_000
CLERK = Contact("Nomvula Vashetiro", "vashetiro@tenders.example", "012 000 9001")

# Issuers of the showcase are the same in every world.
NYALUMERA, KWEZOLIRA = (registered(of_issuer(World(), index)) for index in range(2))
TRADER = Supplier(persons.TOLD[0].name, "ZA", is_person=True)
KITHULERA = registered(remarkable.SECOND_OF_TICKER)
WAKIDESHU = registered(remarkable.SHARING[1])


def _meant(matter: str) -> str:
    return described(Wording.INNOCENT, matter, CLERK)


REVISED = Process(
    portal=ZA,
    number=1,
    buyer=ZA.bodies[3],
    purchase=ZA.purchases[6],
    opened=date(2023, 3, 14),
    closes=date(2023, 4, 28),
    title="Support of the network of Lundareva",
    description=_meant("Support of the network of Lundareva for three years"),
    clerk=CLERK,
    value=12 * MILLION,
    currency="ZAR",
    restated=(15_500_000,),
    bidders=(KWEZOLIRA,),
    awarded=date(2023, 6, 12),
    winners=(KWEZOLIRA,),
    price=15 * MILLION,
    signed=date(2023, 7, 3),
)
REVERSED = Process(
    portal=ZA,
    number=2,
    buyer=ZA.bodies[0],
    purchase=ZA.purchases[0],
    opened=date(2023, 6, 5),
    closes=date(2023, 9, 29),
    title="Repair of the Umvolireka bridge",
    description=_meant("Repair of the Umvolireka bridge"),
    clerk=CLERK,
    value=8 * MILLION,
    currency="ZAR",
    restated=(6_400_000, 8 * MILLION),
)
NAMING = Process(
    portal=ZA,
    number=3,
    buyer=ZA.bodies[1],
    purchase=ZA.purchases[7],
    opened=date(2023, 9, 11),
    closes=date(2023, 10, 2),
    title="Meals for a school at Kwavimoru",
    description=_meant("Meals for a school at Kwavimoru"),
    clerk=CLERK,
    value=0,
    currency="ZAR",
    wording=Wording.BIDDER,
    bidders=(TRADER,),
    awarded=date(2023, 10, 20),
    winners=(TRADER,),
    price=84_000,
    remark=remark(TRADER.name),
    signed=date(2023, 11, 1),
)
SIGNED = Process(
    portal=KE,
    number=1,
    buyer=KE.bodies[2],
    purchase=KE.purchases[1],
    opened=date(2023, 2, 6),
    closes=date(2023, 3, 8),
    title="Supply of school meals at Kithovari",
    description=_meant("Supply of school meals at Kithovari for two terms"),
    clerk=CLERK,
    value=42 * MILLION,
    currency="KES",
    bidders=(NYALUMERA, WAKIDESHU, registered(remarkable.SHARING[0]), KITHULERA),
    awarded=date(2023, 4, 11),
    winners=(NYALUMERA,),
    price=39_500_000,
    signed=date(2023, 5, 2),
)
CANCELLED = Process(
    portal=KE,
    number=2,
    buyer=KE.bodies[1],
    purchase=KE.purchases[0],
    opened=date(2023, 5, 10),
    closes=date(2023, 6, 9),
    title="Construction of a weir at Mbelunzi",
    description=_meant("Construction of a weir at Mbelunzi"),
    clerk=CLERK,
    value=180 * MILLION,
    currency="KES",
    bidders=(KITHULERA,),
    awarded=date(2023, 7, 3),
    winners=(KITHULERA,),
    price=176 * MILLION,
    cancelled=date(2023, 8, 21),
)
JOINT = Process(
    portal=KE,
    number=3,
    buyer=KE.bodies[0],
    purchase=KE.purchases[0],
    opened=date(2024, 1, 15),
    closes=date(2024, 2, 14),
    title="Grading of the road from Kithovari to Mbelunzi",
    description=_meant("Grading of the road from Kithovari to Mbelunzi"),
    clerk=CLERK,
    value=2_400_000,
    currency=FOREIGN_MONEY,
    bidders=(KITHULERA, WAKIDESHU, NYALUMERA),
    awarded=date(2024, 3, 11),
    winners=(KITHULERA, WAKIDESHU),
    price=2_350_000,
    signed=date(2024, 4, 2),
)
CLOSED = Process(
    portal=NG,
    number=1,
    buyer=NG.bodies[1],
    purchase=NG.purchases[1],
    opened=date(2023, 10, 3),
    closes=date(2023, 11, 3),
    title="Supply of grain at Dorimbashe",
    description=_meant("Supply of grain at Dorimbashe"),
    clerk=CLERK,
    value=600 * MILLION,
    currency="NGN",
    bidders=(registered(remarkable.DELISTED),),
    awarded=date(2023, 12, 5),
    winners=(registered(remarkable.DELISTED),),
    price=590 * MILLION,
    signed=date(2023, 12, 20),
)

TOLD = (REVISED, REVERSED, NAMING, SIGNED, CANCELLED, JOINT, CLOSED)
