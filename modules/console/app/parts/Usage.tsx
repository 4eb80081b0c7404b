import { scaledQuantity } from '../../../../kernel/base/units.ts'
import { Section } from '../components/Section.tsx'
import type { Entitlement } from '../data/api-types.ts'
import { formatNumber, useScreenTexts } from '../locales/index.ts'
import { texts } from './plan-texts.ts'
import './usage.css'

const UNLIMITED = -1
/** Share of the limit from which the bar is highlighted. */
const NEARLY_FULL = 0.9

/** How much of its plan a workspace uses. */
export function EntitlementUsage({ entitlements }: { readonly entitlements: readonly Entitlement[] }) {
  const t = useScreenTexts(texts)
  return (
    <Section title={t.usage}>
      {entitlements.length === 0 && <p className="muted">{t.noUsage}</p>}
      <ul className="usage panel">
        {entitlements.map(entitlement => (
          <li key={entitlement.key}>
            <div>
              <span>{entitlement.name ?? entitlement.key}</span>
              <span className="muted">{describe(entitlement, t)}</span>
            </div>
            {hasBar(entitlement) && <Bar {...entitlement} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const hasBar = ({ kind, limit }: Entitlement): boolean => (kind === 'gauge' || kind === 'meter') && limit > 0

function Bar({ key, name, used, limit }: Entitlement) {
  const share = Math.min(used / limit, 1)
  return (
    <meter
      aria-label={name ?? key}
      className={share >= NEARLY_FULL ? 'full' : undefined}
      min={0}
      max={limit}
      value={Math.min(used, limit)}
    />
  )
}

/** `6.14 MiB`, or a number of things. */
function quantity(amount: number, unit: string | null): string {
  const scaled = scaledQuantity(amount, unit)
  const shown = formatNumber(Math.round(scaled.amount * 100) / 100)
  return scaled.unit === null ? shown : `${shown} ${scaled.unit}`
}

function describe({ kind, limit, used, unit }: Entitlement, t: (typeof texts)['en']): string {
  if (kind === 'flag') return limit === 0 ? t.notIncluded : t.included
  if (kind === 'credit') return t.remaining.replace('{limit}', quantity(limit, unit))
  const text = limit === UNLIMITED ? t.unlimited : t.of
  return text.replace('{used}', quantity(used, unit)).replace('{limit}', quantity(limit, unit))
}
