"""The law: no statement that became public after day D changes any field of an answer as of D.

`cutting.py` cuts documents to what was public by a day, `worlds.py` loads a whole world and one that grows by
these cuts, `questions.py` lists what is asked of every declared endpoint that takes a date, `asking.py` asks
it and `compare.py` compares the answers.

Three things belong to the edition and not to the day, so they are equal in both worlds or not compared:
- identity: which records are one organisation (merges, tables of identifiers), which ids were issued, and
  whether a party is established to be an organisation. The documents that state it are loaded whole into both
  worlds, before all others.
- the archived document that a row cites: its hash in `source_ref`, `provenance_id`, `observed_at`, the fact
  id of tenders, which is made from that hash, and a name that the document gives without a day (ENT-3).
- the number and the digest of the edition.

Metrics and the screen have a rule of their own (MET-2): a later filing may take a value away, and may neither
add nor change one.
"""
