/** Lists of the product with their size and what was added this week. */
import { fill, formatNumber, ScreenLink, Section, useCounts, useGetAt, useScreenTexts } from '../../public.ts'
import { type Counted, countPath, isCollection, listFilters, type NumberCard, thisWeek } from './cards.ts'
import styles from './Home.module.css'
import { texts } from './texts.ts'

const REFRESH_MS = 60_000

export function Numbers({ cards }: { readonly cards: readonly NumberCard[] }) {
  const t = useScreenTexts(texts)
  return (
    <Section title={t.numbers} className={`${styles.numbers} panel`}>
      <ul>
        {cards.map(card => (
          <li key={card.id}>{isCollection(card.resource) ? <Rows card={card} /> : <Records card={card} />}</li>
        ))}
      </ul>
    </Section>
  )
}

interface OfCard {
  readonly card: NumberCard
}

function Rows({ card }: OfCard) {
  const t = useScreenTexts(texts)
  const total = useGetAt<Counted>(countPath(card), {}, { refreshMs: REFRESH_MS })
  const weeks = useGetAt<Counted>(countPath(card, thisWeek()), {}, { refreshMs: REFRESH_MS })
  const [before, current] = weeks.data?.data ?? []
  return (
    <CardLink card={card}>
      {current && before && current.count > 0 && (
        <span className={styles.change} title={fill(t.lastWeek, { count: formatNumber(before.count) })}>
          {fill(t.thisWeek, { count: `+${formatNumber(current.count)}` })}
        </span>
      )}
      <strong>{total.data ? formatNumber(total.data.data[0]?.count ?? 0) : total.error ? '–' : '…'}</strong>
    </CardLink>
  )
}

function Records({ card }: OfCard) {
  const [count] = useCounts([{ resource: card.resource, filters: listFilters(card.filters) }], REFRESH_MS)
  return (
    <CardLink card={card}>
      <strong>{count?.data?.text ?? (count?.error ? '–' : '…')}</strong>
    </CardLink>
  )
}

function CardLink({ card: { title, resource, filters }, children }: OfCard & { readonly children: React.ReactNode }) {
  const search = filters.length > 0 ? { filters: listFilters(filters) } : {}
  return (
    <ScreenLink className="plain" to={`/${resource.module}/${resource.name}`} search={search}>
      <span>{title}</span>
      {children}
    </ScreenLink>
  )
}
