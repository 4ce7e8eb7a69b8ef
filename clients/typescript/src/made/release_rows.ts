// Releases of tenders, as OCDS nests them. Made by `generate.py` from the OpenAPI page: do not edit.

import type { Decimal } from "../exact.ts";

/** An established organisation that plays a part. */
export interface ReleaseParty {
  /** Identifies it within the release; of a party, its service id. */ readonly id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly name: string | null;
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
  /** Its roles, as OCDS names them. */ readonly roles: readonly string[];
  /** The day from which a dated record states the name that is shown; null for a name that nothing dates. */ readonly name_as_of: string | null;
}

/** An established organisation that somebody points at; `parties` lists it. */
export interface PartyReference {
  /** Identifies it within the release; of a party, its service id. */ readonly id: string;
  /** The organisation's name as its source writes it, with `as_of` the one known on that day; null where no name was known by then. */ readonly name: string | null;
  /** Identifier that the service issued for the organisation. */ readonly service_id: string;
}

/** An amount of money. */
export interface Value {
  /** The amount as stated, an exact decimal. */ readonly amount: Decimal;
  /** ISO 4217 code. */ readonly currency: string;
}

/** What is set aside. */
export interface Budget {
  /** What is set aside. */ readonly amount: Value;
}

/** What was planned. */
export interface Planning {
  /** The budget of the process. */ readonly budget: Budget;
}

/** What is bought, in somebody's code list. */
export interface Classified {
  /** The code list. */ readonly scheme?: string;
  /** The code. */ readonly id?: string;
  /** What the code stands for; left out where text is withheld. */ readonly description?: string;
}

/** One kind of thing that is bought. */
export interface Item {
  /** Identifies it within the release; of a party, its service id. */ readonly id: string;
  /** The code of what is bought. */ readonly classification: Classified;
}

/** A period of time, as far as it is known. */
export interface Span {
  /** When it begins. */ readonly startDate?: string;
  /** When it ends. */ readonly endDate?: string;
}

/** What is asked for. */
export interface ReleaseTender {
  /** Identifies it within the release; of a party, its service id. */ readonly id: string;
  /** Free text; left out where it is not stated or withheld. */ readonly title?: string;
  /** Free text; left out where it is not stated or withheld. */ readonly description?: string;
  /** planning, planned, active, cancelled, unsuccessful, complete or withdrawn. */ readonly status?: string;
  /** Who manages the tender. */ readonly procuringEntity?: PartyReference;
  /** What is bought, by code. */ readonly items?: readonly Item[];
  /** What it is estimated to cost; left out where the portal does not disclose it. */ readonly value?: Value;
  /** The least that it is estimated to cost. */ readonly minValue?: Value;
  /** open, selective, limited or direct. */ readonly procurementMethod?: string;
  /** The method in the portal's words; left out where text is withheld. */ readonly procurementMethodDetails?: string;
  /** goods, works or services. */ readonly mainProcurementCategory?: string;
  /** Further categories, as the portal publishes them. */ readonly additionalProcurementCategories?: readonly string[];
  /** What is bought, in the portal's own word. */ readonly category?: string;
  /** When tenders may be handed in. */ readonly tenderPeriod?: Span;
  /** When questions may be asked. */ readonly enquiryPeriod?: Span;
  /** When it is decided. */ readonly awardPeriod?: Span;
  /** When the contract runs. */ readonly contractPeriod?: Span;
  /** How many tendered. */ readonly numberOfTenderers?: number;
  /** Who tendered, as far as they are established organisations. */ readonly tenderers?: readonly PartyReference[];
}

/** What was decided. */
export interface ReleaseAward {
  /** Identifies it within the release; of a party, its service id. */ readonly id: string;
  /** Free text; left out where it is not stated or withheld. */ readonly title?: string;
  /** Free text; left out where it is not stated or withheld. */ readonly description?: string;
  /** pending, active, cancelled or unsuccessful. */ readonly status?: string;
  /** When it was decided. */ readonly date?: string;
  /** What it is worth. */ readonly value?: Value;
  /** To whom it was awarded, as far as they are established organisations. */ readonly suppliers?: readonly PartyReference[];
  /** When the contract runs. */ readonly contractPeriod?: Span;
  /** Whether it names several suppliers, withheld ones counted. */ readonly joint: boolean;
}

/** What was signed. */
export interface ReleaseContract {
  /** Identifies it within the release; of a party, its service id. */ readonly id: string;
  /** The award that the contract is of. */ readonly awardID: string;
  /** Free text; left out where it is not stated or withheld. */ readonly title?: string;
  /** Free text; left out where it is not stated or withheld. */ readonly description?: string;
  /** pending, active, cancelled or terminated. */ readonly status?: string;
  /** When the contract runs. */ readonly period?: Span;
  /** What it is worth. */ readonly value?: Value;
  /** When it was signed. */ readonly dateSigned?: string;
}

/** One release, in the content that was known. */
export interface ServedRelease {
  /** Identifies the contracting process. */ readonly ocid: string;
  /** Identifies the release within its process. */ readonly id: string;
  /** The publisher's date; where it is missing or impossible, the day it became known. */ readonly date: string;
  /** What the release tells, as OCDS names it. */ readonly tag: readonly string[];
  /** How the process began: tender. */ readonly initiationType: string;
  /** Language of the texts as the portal states it; null where it does not. */ readonly language: string | null;
  /** The established organisations that play a part. */ readonly parties: readonly ReleaseParty[];
  /** Who buys; left out where it is not an established organisation. */ readonly buyer?: PartyReference;
  /** What was planned. */ readonly planning?: Planning;
  /** What is asked for. */ readonly tender?: ReleaseTender;
  /** What was decided. */ readonly awards?: readonly ReleaseAward[];
  /** What was signed. */ readonly contracts?: readonly ReleaseContract[];
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** Title of the process as known on the day: the last one that its releases state; null if none does, or if it is withheld. */ readonly process_title: string | null;
  /** How many parties are not shown, because they are not established organisations. */ readonly withheld_parties: number;
  /** Whether the release has free text that is not served. */ readonly text_withheld: boolean;
  /** 1 for the content first seen; one more each time that the portal replaced it. */ readonly vintage: number;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
}

/** One release of a process, as it was known. */
export interface TimelineRelease {
  /** Identifies the release within its process. */ readonly id: string;
  /** The day the value is for; of a month or a quarter, its last day. */ readonly date: string;
  /** What the release tells, as OCDS names it. */ readonly tag: readonly string[];
  /** How many parties are not shown, because they are not established organisations. */ readonly withheld_parties: number;
  /** Whether the release has free text that is not served. */ readonly text_withheld: boolean;
  /** 1 for the content first seen; one more each time it was replaced. */ readonly vintage: number;
  /** The day the value became public: the later of the source's local day and the UTC day; null where nothing evidences it. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
  /** Names this fact for ever; made from source, filing and location. */ readonly fact_id: string;
}

/** A contracting process: what its releases say together, and the releases. */
export interface ServedProcess {
  /** Identifies the contracting process. */ readonly ocid: string;
  /** Made from ocid and date, as OCDS has it. */ readonly id: string;
  /** Date of the last release. */ readonly date: string;
  /** compiled. */ readonly tag: readonly string[];
  /** How the process began: tender. */ readonly initiationType: string;
  /** Language of the texts as the portal states it; null where it does not. */ readonly language: string | null;
  /** The established organisations that play a part. */ readonly parties: readonly ReleaseParty[];
  /** Who buys; left out where it is not an established organisation. */ readonly buyer?: PartyReference;
  /** What was planned. */ readonly planning?: Planning;
  /** What is asked for. */ readonly tender?: ReleaseTender;
  /** What was decided. */ readonly awards?: readonly ReleaseAward[];
  /** What was signed. */ readonly contracts?: readonly ReleaseContract[];
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** The largest number of parties that one release does not show. */ readonly withheld_parties: number;
  /** Whether a release has free text that is not served. */ readonly text_withheld: boolean;
  /** How many releases are merged. */ readonly releases: number;
  /** Whether all releases are merged; beyond 1,000 of them, the newest are. */ readonly is_complete: boolean;
  /** The releases, oldest first. */ readonly timeline: readonly TimelineRelease[];
  /** The day on which the newest of its contents became known. */ readonly available_at: string;
  /** What `available_at` rests on. filing: stamped by regulator or portal; publisher: the publisher's own release date; first_seen: when we fetched it. */ readonly available_at_basis: string;
  /** Document and place of the content that became known last. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
  /** Names the document and the rules that the row rests on. */ readonly provenance_id: string;
}
