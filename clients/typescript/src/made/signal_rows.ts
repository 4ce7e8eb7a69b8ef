// The rows of signals. Made by `generate.py` from the OpenAPI page: do not edit.

import type { Decimal } from "../exact.ts";

/** Procurement demand by category. */
export interface ProcurementDemand {
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** What is bought, in the portal's own word. */ readonly category: string;
  /** First day of the month. */ readonly month: string;
  /** How many contracting processes were first put out to tender in the month. */ readonly releases: number;
  /** The category's processes divided by all processes of the country and month. */ readonly category_share: Decimal;
  /** Herfindahl index, 0 to 1, of the established buyers by number of processes; null if there are none. */ readonly buyer_concentration: Decimal | null;
  /** The number of processes divided by the mean of the three months before, less 1; null unless all three are known. */ readonly momentum: Decimal | null;
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}

/** Supplier concentration by currency. */
export interface SupplierConcentration {
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** ISO 4217 code. */ readonly currency: string;
  /** First day of the month. */ readonly month: string;
  /** How many awards the figures rest on. */ readonly awards: number;
  /** How many of the awards several suppliers won together; they are in no concentration. */ readonly joint_awards: number;
  /** How many of the awards the concentration is computed from. */ readonly awards_in_concentration: number;
  /** How many established organisations won. */ readonly suppliers: number;
  /** Sum of the values counted, all in one currency. */ readonly total_value: Decimal;
  /** Herfindahl index, 0 to 1, of the established suppliers by value won; null if there are none. */ readonly concentration_by_value: Decimal | null;
  /** Herfindahl index, 0 to 1, of the established suppliers by number of awards; null if there are none. */ readonly concentration_by_count: Decimal | null;
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}

/** Time from deadline to award by category. */
export interface AwardLeadTime {
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** What is bought, in the portal's own word. */ readonly category: string;
  /** First day of the month. */ readonly month: string;
  /** How many awards the figures rest on. */ readonly awards: number;
  /** Days from the deadline of the tender to the award: the middle of all awards counted. */ readonly median_days: Decimal;
  /** The fewest days, from deadline to award, that at least 90 percent of the awards did not exceed. */ readonly p90_days: number;
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}

/** Share of awards with a single bidder, by category. */
export interface SingleBidderShare {
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** What is bought, in the portal's own word. */ readonly category: string;
  /** First day of the month. */ readonly month: string;
  /** How many awards the figures rest on. */ readonly awards: number;
  /** How many of the awards had exactly one bidder. */ readonly single_bidder: number;
  /** The awards with exactly one bidder divided by all awards counted. */ readonly single_bidder_share: Decimal;
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}

/** Value of tenders by currency. */
export interface TenderValue {
  /** Country of the publishing portal, ISO 3166-1 alpha-2. */ readonly country: string;
  /** ISO 4217 code. */ readonly currency: string;
  /** First day of the month. */ readonly month: string;
  /** How many tenders the figures rest on. */ readonly tenders: number;
  /** Sum of the values counted, all in one currency. */ readonly total_value: Decimal;
  /** Value of the tender in the middle, or the mean of the two in the middle. */ readonly median_value: Decimal;
  /** The method that the derived values were made by, with its version. */ readonly methodology_ref: string;
  /** The document, and the place in it, that the row rests on. */ readonly source_ref: string;
  /** Licence under which the source's data is served. */ readonly license_class: string;
  /** When the document was fetched, in UTC. */ readonly observed_at: string;
}
