// The line items in the order in which statements list them. /docs/reference/line-items/ has their definitions.

export const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  [
    "Income statement",
    [
      "revenue", "interest_income", "interest_expense", "net_interest_income", "fee_and_commission_income",
      "net_fee_and_commission_income", "non_interest_income", "insurance_revenue", "premiums_written",
      "insurance_service_expenses", "insurance_service_result", "investment_income", "cost_of_sales", "gross_profit",
      "research_and_development_expense", "selling_general_administrative_expense", "administrative_expense",
      "selling_expense", "employee_expense", "operating_expenses", "non_interest_expense", "credit_loss_expense",
      "depreciation_amortisation", "operating_income", "finance_income", "finance_costs",
      "share_of_profit_of_associates", "profit_before_tax", "income_tax", "effective_tax_rate",
      "profit_from_continuing_operations", "profit_from_discontinued_operations", "net_income",
      "net_income_attributable_to_parent", "net_income_attributable_to_noncontrolling", "other_comprehensive_income",
      "comprehensive_income", "comprehensive_income_attributable_to_parent",
    ],
  ],
  [
    "Balance sheet",
    [
      "cash_and_equivalents", "loans_to_banks", "loans_to_customers", "financial_assets", "investments", "inventories",
      "trade_receivables", "trade_and_other_receivables", "premiums_receivable", "current_assets",
      "property_plant_equipment", "investment_property", "right_of_use_assets", "goodwill", "intangible_assets",
      "investments_in_associates", "non_current_assets", "total_assets", "customer_deposits", "deposits_from_banks",
      "insurance_contract_liabilities", "trade_payables", "trade_and_other_payables", "short_term_borrowings",
      "commercial_paper", "current_portion_of_long_term_borrowings", "current_borrowings", "current_liabilities",
      "borrowings", "long_term_borrowings", "long_term_debt", "lease_liabilities", "operating_lease_liabilities",
      "finance_lease_liabilities", "non_current_liabilities", "total_liabilities", "issued_capital",
      "retained_earnings", "equity_attributable_to_parent", "noncontrolling_interests", "equity",
    ],
  ],
  [
    "Cash flow",
    [
      "cash_generated_from_operations", "operating_cash_flow", "operating_cash_flow_of_continuing_operations", "capex",
      "acquisitions", "investing_cash_flow", "investing_cash_flow_of_continuing_operations", "proceeds_from_borrowings",
      "repayments_of_borrowings", "dividends_paid", "share_repurchases", "financing_cash_flow",
      "financing_cash_flow_of_continuing_operations", "income_taxes_paid",
    ],
  ],
  [
    "Shares",
    [
      "eps_basic", "eps_diluted", "dividends_per_share", "shares_outstanding", "shares_issued",
      "weighted_shares_basic", "weighted_shares_diluted",
    ],
  ],
];

/** Few lines that say most about a company, a bank or an insurer: what a key with small pages reads first. */
export const KEY_ITEMS: readonly string[] = [
  "revenue", "net_interest_income", "insurance_revenue", "operating_income", "net_income", "loans_to_customers",
  "total_assets", "customer_deposits", "equity", "operating_cash_flow", "eps_basic",
];

const ORDER = new Map(SECTIONS.flatMap(([, items]) => items).map((item, at) => [item, at]));

/** Compare line items by their place in the statements; those that have none come last, by name. */
export function byStatement(a: string, b: string): number {
  return (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size) || a.localeCompare(b);
}

export function sectionOf(item: string): string {
  return SECTIONS.find(([, items]) => items.includes(item))?.[0] ?? "Other";
}
