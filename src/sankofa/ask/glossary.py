"""What the fields of rows and envelopes mean: one word, one meaning, on every endpoint and surface.

Where a standard uses one word for several things, an entry `Struct.field` defines it for that struct.
"""

from __future__ import annotations

FIELDS = {
    "_license": "Under what terms the data may be used.",
    "accepted_at": "When the regulator accepted the filing, in UTC; null where the source does not say.",
    "access": "open: anybody reads the file at its `url`; licensed: `url` needs a key of a paid tier.",
    "additionalProcurementCategories": "Further categories, as the portal publishes them.",
    "aggregate": (
        "The publisher's code of an aggregate of countries, such as SSF or WLD; null where the value is of a "
        "country, or of neither."
    ),
    "aliases": "Codes that may be sent in place of `key`, such as JSE for XJSE; empty where there are none.",
    "amount": "The amount as stated, an exact decimal.",
    "Artifact.edition": "The edition that the file was made from; the next one lists it.",
    "Artifact.kind": (
        "panel: a whole panel; rows: bulk rows; closings: which bulk rows editions removed; rows_table and "
        "closings_table: the metadata of an Iceberg table of these."
    ),
    "Artifact.license_class": "Licence of the file; of bulk files, the strictest licence of its rows.",
    "Artifact.name": "Name of the file; it stands for one content for ever.",
    "Artifact.panel": "Title of the panel; null for bulk files.",
    "as_of": "The date whose knowledge the answer holds; null where none applies.",
    "available_at": (
        "The day the value became public: the later of the source's local day and the UTC day; null where "
        "nothing evidences it."
    ),
    "available_at_basis": (
        "What `available_at` rests on. filing: stamped by regulator or portal; publisher: the "
        "publisher's own release date; first_seen: when we fetched it."
    ),
    "awardID": "The award that the contract is of.",
    "AwardLeadTime.awards": "How many awards the figures rest on.",
    "awardPeriod": "When it is decided.",
    "awards": "What was decided.",
    "budget": "The budget of the process.",
    "Budget.amount": "What is set aside.",
    "buyer": "Who buys; left out where it is not an established organisation.",
    "awards_in_concentration": "How many of the awards the concentration is computed from.",
    "buyer_concentration": (
        "Herfindahl index, 0 to 1, of the established buyers by number of processes; null if there are none."
    ),
    "bytes": "Length of the file.",
    "category": "What is bought, in the portal's own word.",
    "category_share": "The category's processes divided by all processes of the country and month.",
    "changed_values": "How many values known before the filing changed; one that only rounds changes none.",
    "Change.change": "put: the edition has the row; remove: it has it no more.",
    "Change.country_iso3": "ISO 3166-1 alpha-3 code of a portal's or a series' country; null for issuers.",
    "Change.edition": "The edition that put or removed the row.",
    "Change.fact_id": "The fact that the row holds; null once it is taken down.",
    "Change.reason": (
        "added: new; restated: another value of something known; renumbered: another vintage number; "
        "corrected: known better, from another document or by other rules; merged: of another id now; "
        "withdrawn: taken back by its source, or taken down."
    ),
    "Change.service_id": "The issuer whose row it is; null where the row is of none, or was taken down.",
    "Change.value": "The value as stated, an exact decimal; null if removed or taken down.",
    "classification": "The code of what is bought.",
    "Classified.description": "What the code stands for; left out where text is withheld.",
    "Classified.id": "The code.",
    "Column.name": "Name of the column.",
    "Column.type": "Its type, as DuckDB calls it.",
    "concentration_by_count": (
        "Herfindahl index, 0 to 1, of the established suppliers by number of awards; null if there are none."
    ),
    "concentration_by_value": (
        "Herfindahl index, 0 to 1, of the established suppliers by value won; null if there are none."
    ),
    "contractPeriod": "When the contract runs.",
    "contracts": "What was signed.",
    "count": "How many rows this answer holds.",
    "Column.description": "What the column means.",
    "country": "Country of the publishing portal, ISO 3166-1 alpha-2.",
    "country_iso2": "ISO 3166-1 alpha-2 code of the country; null where the value is of no single one.",
    "country_iso3": "ISO 3166-1 alpha-3 code of the country; null where there is none, or it is not known.",
    "coverage": (
        "How many there are, by ISO 3166-1 alpha-2 code: issuers of metrics, line items and exchanges, "
        "series of indicators, rows of signals, months of categories, documents of sources. `none`: of no "
        "one country, or of one not known."
    ),
    "currency": "ISO 4217 code.",
    "currency_reported": "ISO 4217 code; null for a value that is not money.",
    "datasets": "By dataset: the rows that this edition put and removed, counted by reason.",
    "date": "The day the value is for; of a month or a quarter, its last day.",
    "dateSigned": "When it was signed.",
    "decimals": "Precision that the filing states: -3 is to the thousand; null where it states none.",
    "definition": "What it is, in a sentence; null where its publisher gives none.",
    "description": "Free text; left out where it is not stated or withheld.",
    "Difference.change": "added: not there on the first date; restated: another vintage; withdrawn: gone.",
    "Difference.license_class": "The stricter of the licences of both values.",
    "Difference.observed_at": "When the later of the documents was fetched, in UTC.",
    "Difference.source_ref": "What both values rest on: distinct references, sorted and joined by `; `.",
    "digest": "Merkle root over the edition before and all that this one holds; it never changes.",
    "edition": "Number of an edition: one publish of everything, which never changes afterwards.",
    "endDate": "When it ends.",
    "enquiryPeriod": "When questions may be asked.",
    "entity_id": "The organisation's service id, or the country's alpha-3 code.",
    "entity_name": (
        "The organisation's legal name as known on the day that the answer is for, or the country's name; "
        "null where no name was known by then."
    ),
    "established_by": (
        "Kinds of evidence that it is an organisation: registry, lei, listing, filer, "
        "public_body, legal_form and others."
    ),
    "days_rounded": "Which days the source rounds to ends of months: `start` or `all`; null where none.",
    "evidence": (
        "`register` if a register, a regulator or the list of an exchange states the identifier; "
        "`third_party` if only somebody else does: it joins nobody by itself, and may be wrong."
    ),
    "exact_from": (
        "First day on which all that the value rests on was known as it stands in this edition; null where "
        "`revised_later` is true."
    ),
    "extraction_confidence": "How sure the extraction is, 0 to 1; null where no judgement was needed.",
    "fact_id": "Names this fact for ever; made from source, filing and location.",
    "facts": "How many values the filing states.",
    "Filing.country": (
        "ISO 3166-1 alpha-2 code of the jurisdiction known on the day of the filing; null where none was."
    ),
    "filing_id": "The regulator's number of the filing, or the repository's.",
    "filings": "How many filings with a value were available by the day.",
    "first_date": "The first day or period end that there is; null where there is none.",
    "first_edition": "First edition whose rows, or closings, the file holds.",
    "first_filed": "The day on which the first filing that is held became available.",
    "first_filing_held": "Whether vintage 1 is from the filing whose own period it is.",
    "first_release": "Day of the first release that shows it, in UTC.",
    "fiscal_year": "The issuer's fiscal year that the period belongs to; null where it is not known.",
    "floor": "What the value must reach; null where nothing is required of it.",
    "form": "Form type of the filing, such as 10-K or 20-F; null where the source has none.",
    "former_names": "Names that it had before, the newest first.",
    "former_tickers": "Tickers that no longer held on the day, as EXCHANGE:TICKER, in order.",
    "FormerName.since": "The first day of a dated record with the name; null where nothing dates it.",
    "FormerName.name": "The name as its source writes it.",
    "FormerName.until": "The day from which another name, or none, is known.",
    "formula": "How it is computed; null for what is reported.",
    "frequency": "How often the series has a value: quarterly, monthly or daily.",
    "id": "Identifies it within the release; of a party, its service id.",
    "id_type": "What kind of identifier it is.",
    "id_value": (
        "The identifier as its source writes it; a ticker as EXCHANGE:TICKER, the exchange as its MIC."
    ),
    "indicator": "The publisher's own code of the indicator.",
    "indicator_name": "The publisher's own name of the indicator; null where the document has none.",
    "industries": "What it does, by classification, the newest first; empty where no source says it.",
    "Industry.code": "Code of the industry in the scheme.",
    "Industry.scheme": "The classification: SIC, the Standard Industrial Classification.",
    "Industry.since": "The first day on which it was known.",
    "Industry.until": "The day from which another one, or none, is known; null while it is the last one.",
    "initiationType": "How the process began: tender.",
    "inputs": "Ids of the facts that the value is computed from, in the order of the formula.",
    "is_complete": "Whether all releases are merged; beyond 1,000 of them, the newest are.",
    "issuer": "The registry or exchange that the identifier is unique in; null where it is unique worldwide.",
    "Issuer.country": "ISO 3166-1 alpha-2 code of the jurisdiction known on the day; null where none was.",
    "Issuer.industry": (
        "The industry known on the day: a code of the Standard Industrial Classification (SIC); null if none."
    ),
    "Issuer.source_ref": "The document of the first filing.",
    "items": "What is bought, by code.",
    "joint": (
        "Of an award: whether several suppliers won it together; each then has a row with the whole value. "
        "Null of all else."
    ),
    "joint_awards": "How many of the awards several suppliers won together; they are in no concentration.",
    "jurisdiction": "ISO 3166-1 alpha-2 or 3166-2 code of the law it is under; null where it is not known.",
    "key": "What to ask for.",
    "known_until": (
        "First day on which it was no longer the latest known, because it was withdrawn or replaced; null if "
        "neither was known by the day of the answer. In changes, a later vintage of AF-FUND does not set it."
    ),
    "labelled_from": "First day on which the period has this type and fiscal year; null if from the start.",
    "labelled_until": "First day on which it has another type or fiscal year; null while it has these.",
    "language": "Language of the texts as the portal states it; null where it does not.",
    "last_date": "The last day or period end that there is; null where there is none.",
    "last_edition": "Last edition whose rows, or closings, the file holds.",
    "last_filed": "The day on which the newest filing known by the day became available.",
    "last_release": "Day of the newest release that shows it, in UTC.",
    "latest_url": "Address that leads to the newest file of the panel, for ever; null for bulk files.",
    "legal_name": (
        "The organisation's name as its source writes it, with `as_of` the one known on that day; null where "
        "no name was known by then."
    ),
    "lei": "Legal Entity Identifier (ISO 17442); null where it has none.",
    "lei_status": "retired if the register has ended the LEI by the edition's day; null without an LEI.",
    "license_class": "Licence under which the source's data is served.",
    "concept": "What the source itself calls it: taxonomy and tag.",
    "line_item": "The service's name for what was reported; its concept where the service has none.",
    "mainProcurementCategory": "goods, works or services.",
    "mark": "Random name of the edition; it tells two editions of one number apart after a restore.",
    "map_version": "Version of the line-item map with which the row was published.",
    "matched": (
        "What the search found: identifier, name, words (each word of the text is one of the name) or "
        "similar; former_identifier and former_name no longer held on the day."
    ),
    "matched_text": (
        "The name or identifier that matched, as its source writes it; a ticker as EXCHANGE:TICKER."
    ),
    "measure": "What was measured: a line item, tender_value, award_value, a series key, an indicator code.",
    "measured_at": "When it was measured; null where it was not.",
    "median_days": "Days from the deadline of the tender to the award: the middle of all awards counted.",
    "median_value": "Value of the tender in the middle, or the mean of the two in the middle.",
    "method": "How the value came from the document.",
    "methodology_ref": "The method that the derived values were made by, with its version.",
    "metric": "Slug of a metric; /v1/catalog/metrics lists them.",
    "MetricValue.country": (
        "ISO 3166-1 alpha-2 code of the jurisdiction known on the day of `as_of`; null where none was."
    ),
    "MetricValue.published_at": "The first day on which the year was published for this metric.",
    "minValue": "The least that it is estimated to cost.",
    "momentum": (
        "The number of processes divided by the mean of the three months before, less 1; null unless "
        "all three are known."
    ),
    "month": "First day of the month.",
    "name": (
        "The organisation's name as its source writes it, with `as_of` the one known on that day; null where "
        "no name was known by then."
    ),
    "name_as_of": (
        "The day from which a dated record states the name that is shown; null for a name that nothing dates."
    ),
    "NamedOrganisation.kind": "issuer: it had filed accounts by the day; other: it had not.",
    "NamedOrganisation.lei": "The LEI that it had on the day; null without one.",
    "NamedOrganisation.source_ref": "Where the name or identifier that matched is stated.",
    "new_available_at": "Day from which on the second date's value could be known; null where there is none.",
    "new_fact_id": "The fact that the second date shows; null where there is none.",
    "new_license_class": "Licence of the second date's value; null where there is none.",
    "new_observed_at": "When the document of the second date's value was fetched; null where there is none.",
    "new_source_ref": "The document and place of the second date's value; null where there is none.",
    "new_value": "The value on the second date, an exact decimal; null where none stands.",
    "new_vintage": "Its vintage; null where there is none.",
    "next_cursor": "Pass it back as `cursor` for the next page; null when no row follows.",
    "numberOfTenderers": "How many tendered.",
    "observed_at": "When the document was fetched, in UTC.",
    "ocid": "Identifies the contracting process.",
    "old_available_at": "Day from which on the first date's value could be known; null where there is none.",
    "old_fact_id": "The fact that the first date shows; null where there is none.",
    "old_license_class": "Licence of the first date's value; null where there is none.",
    "old_observed_at": "When the document of the first date's value was fetched; null where there is none.",
    "old_source_ref": "The document and place of the first date's value; null where there is none.",
    "old_value": "The value on the first date, an exact decimal; null where none stands.",
    "old_vintage": "Its vintage; null where there is none.",
    "p90_days": (
        "The fewest days, from deadline to award, that at least 90 percent of the awards did not exceed."
    ),
    "PanelFact.country": (
        "ISO 3166-1 alpha-2 code of the jurisdiction known on the day that the answer is for; null where "
        "none was."
    ),
    "parties": "The established organisations that play a part.",
    "period": "When the contract runs.",
    "period_age_days": "Days from `period_end` to `as_of`.",
    "period_end": "Last day of the period, or the day of an instant.",
    "period_start": "First day of the period; null for an instant.",
    "period_type": "FY, H1, H2, Q1 to Q4, 9M or TTM, as known on the day asked for; null where it has none.",
    "planning": "What was planned.",
    "previous_value": "The latest value known on the day before `restated_on`; null if there was none.",
    "ProcurementDemand.releases": "How many contracting processes were first put out to tender in the month.",
    "process_title": (
        "Title of the process as known on the day: the last one that its releases state; null if none does, "
        "or if it is withheld."
    ),
    "procurementMethod": "open, selective, limited or direct.",
    "procurementMethodDetails": "The method in the portal's words; left out where text is withheld.",
    "procuringEntity": "Who manages the tender.",
    "Proof.columns": "The columns of the row, in the order of its text.",
    "Proof.edition": "The edition that sealed the row: the first that holds it.",
    "Proof.line": "The table in the manifest of that edition: name, number of rows, root of its tree in hex.",
    "Proof.line_path": "From the line to the root of the edition, written like `path`.",
    "Proof.path": (
        "From the row to the root of its table: at each step the side of the other hash (L or R), then that "
        "hash in base64."
    ),
    "Proof.row": "The row as PostgreSQL writes it, as it was sealed. Its hash is SHA-256 after a byte 0.",
    "Proof.table": "The table of the row.",
    "provenance_id": "Names the document and the rules that the row rests on.",
    "public_key": "Ed25519 public key of the signature, in base64; null without a signature.",
    "published_at": "When the edition was published, in UTC.",
    "QualityMetric.license_class": "The strictest licence among those sources; null where there are none.",
    "QualityMetric.measure": "What was measured; after a point, of which part of the dataset.",
    "QualityMetric.observed_at": "When their latest document was fetched; null where there is none.",
    "QualityMetric.source_ref": "The sources that the dataset rests on, sorted; null where there are none.",
    "QualityMetric.status": "pass or fail if there is a floor, else no_floor; UNMEASURED has not passed.",
    "QualityMetric.unit": "issuers, processes, series, countries, days, floors, or share, from 0 to 1.",
    "QualityMetric.value": "The number, computed exactly and rounded once, or UNMEASURED.",
    "rank": "Place among all issuers that match, counted from 1 and on over pages.",
    "RankedValue.country": (
        "ISO 3166-1 alpha-2 code of the jurisdiction known on the day of `as_of`; null where none was."
    ),
    "RankedValue.published_at": "The first day on which the year was published for this metric.",
    "ReleaseAward.date": "When it was decided.",
    "ReleaseAward.joint": "Whether it names several suppliers, withheld ones counted.",
    "ReleaseAward.status": "pending, active, cancelled or unsuccessful.",
    "ReleaseAward.value": "What it is worth.",
    "ReleaseContract.status": "pending, active, cancelled or terminated.",
    "ReleaseContract.value": "What it is worth.",
    "releases": "How many releases.",
    "ReleaseTender.status": ("planning, planned, active, cancelled, unsuccessful, complete or withdrawn."),
    "ReleaseTender.value": "What it is estimated to cost; left out where the portal does not disclose it.",
    "reported_as": "own: the filing's own period; comparative: shown beside it.",
    "restated_on": "The day on which this vintage replaced an earlier one; null for a first report.",
    "revised_later": (
        "Whether the edition holds a later filing that changes or withdraws the value shown; always false "
        "with `basis=exact`. By design this looks beyond `as_of`."
    ),
    "revision": "What kind of change from the vintage before it is; null for vintage 1.",
    "role": "Role in the releases, as OCDS names it.",
    "roles": "Its roles, as OCDS names them.",
    "root": "Root of the edition's Merkle tree in hex: its digest in `/v1/editions`.",
    "row_id": "Number of the row within its dataset; a remove names the number that a put brought.",
    "rows": "How many rows the file holds.",
    "rows_removed": "How many rows the takedown removed, over all editions.",
    "rule_version": "Version of the rules by which it was judged to be an organisation.",
    "schema": "The columns, in order.",
    "scheme": "The code list.",
    "scope": "Consolidation scope of the value.",
    "series": "Key of the series. `FX.<base>.<quote>` counts units of quote for 1 base; no rate is inverted.",
    "series_type": "Family of the series: fx, cpi or indicator.",
    "ServedProcess.available_at": "The day on which the newest of its contents became known.",
    "ServedProcess.date": "Date of the last release.",
    "ServedProcess.id": "Made from ocid and date, as OCDS has it.",
    "ServedProcess.releases": "How many releases are merged.",
    "ServedProcess.source_ref": "Document and place of the content that became known last.",
    "ServedProcess.tag": "compiled.",
    "ServedProcess.text_withheld": "Whether a release has free text that is not served.",
    "ServedProcess.withheld_parties": "The largest number of parties that one release does not show.",
    "ServedRelease.date": "The publisher's date; where it is missing or impossible, the day it became known.",
    "ServedRelease.id": "Identifies the release within its process.",
    "ServedRelease.tender": "What is asked for.",
    "ServedRelease.vintage": "1 for the content first seen; one more each time that the portal replaced it.",
    "service_id": "Identifier that the service issued for the organisation.",
    "sha256": "Hash of the file's bytes.",
    "signal_key": "Key of the panel, as in `/v1/signals/{signal_key}`; null for bulk files.",
    "signature": (
        "Ed25519 signature, in base64, of the text `sankofa edition <number>`, a line break, the digest in "
        "hex and a line break; null if the edition was published without a key."
    ),
    "since": (
        "First day of what matched: of a name by a dated record, of an identifier as its source says; "
        "null if unknown."
    ),
    "single_bidder": "How many of the awards had exactly one bidder.",
    "single_bidder_share": "The awards with exactly one bidder divided by all awards counted.",
    "SingleBidderShare.awards": "How many awards the figures rest on.",
    "source_ref": "The document, and the place in it, that the row rests on.",
    "source_url": "The page of the filing at its publisher; null where none is known.",
    "startDate": "When it begins.",
    "status": "active, inactive or unknown, as the source states it.",
    "SupplierConcentration.awards": "How many awards the figures rest on.",
    "SupplierConcentration.suppliers": "How many established organisations won.",
    "suppliers": "To whom it was awarded, as far as they are established organisations.",
    "tag": "What the release tells, as OCDS names it.",
    "takedown": "Number of a takedown: the one way in which something published can go.",
    "takedowns": "What was taken down while this edition was current: that it happened, never what it was.",
    "taken_down_at": "When it was taken down, in UTC.",
    "tender": "What is asked for.",
    "tenderers": "Who tendered, as far as they are established organisations.",
    "tenderPeriod": "When tenders may be handed in.",
    "tenders": "How many tenders the figures rest on.",
    "text_withheld": "Whether the release has free text that is not served.",
    "tickers": "Tickers that held on the day, as EXCHANGE:TICKER, in order.",
    "timeline": "The releases, oldest first.",
    "TimelineRelease.id": "Identifies the release within its process.",
    "TimelineRelease.vintage": "1 for the content first seen; one more each time it was replaced.",
    "title": "Free text; left out where it is not stated or withheld.",
    "total_value": "Sum of the values counted, all in one currency.",
    "truncated": "Whether more rows matched than this answer holds.",
    "unit": (
        "What the value counts: an ISO 4217 code, shares, index, percent, pure, or a quotient of two; null "
        "where the source does not say."
    ),
    "until": "First day on which what matched no longer held; null while it held on the day.",
    "url": "Where the file is read: an open one directly, a licensed one with a key.",
    "used_by": "Metrics whose value on the day, by `basis=as_known`, is computed from this fact.",
    "valid_from": "First day the identifier holds; null where the source does not say.",
    "value": "The value as stated, an exact decimal; of a metric, computed exactly and rounded once.",
    "value_reported": "The value as reported, an exact decimal.",
    "vintage": "1 for the value as first filed or stated; one more each time that a later one changed it.",
    "withheld_parties": "How many parties are not shown, because they are not established organisations.",
    "year": "The calendar year that the value is for.",
}
