import type { StatisticPoint } from '../data/api-types.ts'
import styles from './Sparkline.module.css'

interface Props {
  readonly points: readonly StatisticPoint[]
  /** The text alternative. */
  readonly label: string
}
/** Units of the view box, which is stretched to the size of the element. */
const WIDTH = 100
const HEIGHT = 30
/** Room for the stroke. */
const MARGIN = 2

/** A line from 0 to the greatest value. */
export function Sparkline({ points, label }: Props) {
  const lines = linesOf(points)
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line className={styles.base} x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      {lines.map(line => (
        <path key={line} d={line} />
      ))}
    </svg>
  )
}

/** SVG paths, one for each stretch of measurements. */
export function linesOf(points: readonly StatisticPoint[]): readonly string[] {
  const most = Math.max(...points.map(({ value }) => value ?? 0), 1)
  const step = WIDTH / Math.max(points.length - 1, 1)
  const stretches: string[][] = [[]]
  for (const [index, { value }] of points.entries()) {
    if (value === null) {
      stretches.push([])
      continue
    }
    const y = HEIGHT - MARGIN - (value / most) * (HEIGHT - 2 * MARGIN)
    stretches.at(-1)?.push(`${round(index * step)} ${round(y)}`)
  }
  return stretches.flatMap(stretch => {
    const [first, ...rest] = stretch
    if (first === undefined) return []
    // A single measurement is a dot.
    return [`M${first}${rest.length > 0 ? rest.map(each => `L${each}`).join('') : 'h.1'}`]
  })
}

const round = (value: number): number => Math.round(value * 100) / 100
