/** Values over time: a line or bars, with an axis, the values under the pointer or by the arrow keys, and as a table. */
import { lazy, Suspense } from 'react'
import { useTexts } from '../locales/index.ts'
import styles from './Chart.module.css'
import type { ChartProps } from './chart-model.ts'
import { Loading } from './EmptyState.tsx'

// The library is loaded with the first chart.
const ChartPlot = lazy(() => import('./ChartPlot.tsx'))

export function Chart(props: ChartProps) {
  const { isSmall = false, hasTable = !isSmall } = props
  return (
    <div className={styles.chart} data-small={isSmall || undefined}>
      <Suspense
        fallback={
          <div className={styles.plot}>
            <Loading />
          </div>
        }
      >
        <ChartPlot {...props} />
      </Suspense>
      {hasTable && <ChartTable {...props} />}
    </div>
  )
}

function ChartTable({ label, points, valueTitle, beforeTitle, timeTitle, format }: ChartProps) {
  const t = useTexts()
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value))
  return (
    <details className={styles.values}>
      <summary>{t('valuesAsTable')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{timeTitle}</th>
              <th scope="col">{valueTitle}</th>
              {beforeTitle !== undefined && <th scope="col">{beforeTitle}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map(({ key, title, value, before }) => (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td>{text(value)}</td>
                {beforeTitle !== undefined && <td>{text(before)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
