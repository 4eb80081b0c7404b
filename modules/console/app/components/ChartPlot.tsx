/** The drawing of `Chart`, with the library in a script of its own. */
import { AxisBottom, AxisLeft } from '@visx/axis'
import { scaleLinear, scalePoint } from '@visx/scale'
import { AreaClosed, Bar, Line, LinePath } from '@visx/shape'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { toMajor } from '../data/money.ts'
import { languageStore } from '../locales/index.ts'
import styles from './Chart.module.css'
import { type ChartPoint, type ChartProps, tickKeys } from './chart-model.ts'

const HEIGHT = { plain: 220, small: 40 }
const CHARACTER_WIDTH = 8
const MAX_TICKS = 4

export default function ChartPlot({
  label,
  points,
  valueTitle,
  beforeTitle,
  kind = 'line',
  format,
  currency,
  isSmall = false,
}: ChartProps) {
  const { ref, width } = useWidth()
  const [active, setActive] = useState<number>()
  const height = isSmall ? HEIGHT.small : HEIGHT.plain
  const { low, high, ticks } = rangeOf(points)
  const formatTick = tickFormat(currency)
  const labels = ticks.map(formatTick)
  const left = isSmall ? 2 : 12 + CHARACTER_WIDTH * Math.max(...labels.map(text => text.length), 1)
  const margin = isSmall ? { top: 3, right: 3, bottom: 3 } : { top: 10, right: 20, bottom: 28 }
  const inner = { width: Math.max(0, width - left - margin.right), height: height - margin.top - margin.bottom }
  const x = scalePoint<string>({
    domain: points.map(({ key }) => key),
    range: [0, inner.width],
    padding: kind === 'bar' ? 0.5 : 0,
  })
  const y = scaleLinear<number>({ domain: [low, high], range: [inner.height, 0] })
  const xOf = ({ key }: ChartPoint) => (points.length === 1 ? inner.width / 2 : (x(key) ?? 0))
  const lineOf = (name: 'value' | 'before') => ({
    data: [...points],
    x: xOf,
    y: (point: ChartPoint) => y(point[name] ?? 0),
    defined: (point: ChartPoint) => typeof point[name] === 'number',
  })
  const shown = active === undefined ? undefined : points[active]
  const drawing = width > 0 && points.length > 0 && (
    <svg width={width} height={height} aria-hidden="true">
      <g transform={`translate(${left},${margin.top})`}>
        {!isSmall &&
          ticks.map(tick => (
            <Line key={tick} className={styles.grid} from={{ x: 0, y: y(tick) }} to={{ x: inner.width, y: y(tick) }} />
          ))}
        {beforeTitle !== undefined && <LinePath className={styles.before} {...lineOf('before')} />}
        {kind === 'bar' ? (
          points.map(point => {
            const barWidth = Math.max(1, Math.min(40, (inner.width / points.length) * 0.7))
            const top = y(Math.max(0, point.value ?? 0))
            return (
              <Bar
                key={point.key}
                className={styles.bar}
                data-active={point === shown || undefined}
                x={xOf(point) - barWidth / 2}
                y={top}
                width={barWidth}
                height={Math.max(0, y(Math.min(0, point.value ?? 0)) - top)}
              />
            )
          })
        ) : (
          <>
            {!isSmall && low >= 0 && <AreaClosed className={styles.area} {...lineOf('value')} yScale={y} />}
            <LinePath className={styles.line} {...lineOf('value')} />
            {points.flatMap((point, at) =>
              point.value !== null && (point === shown || isAlone(points, at))
                ? [<circle key={point.key} className={styles.dot} cx={xOf(point)} cy={y(point.value)} r={4} />]
                : [],
            )}
          </>
        )}
        {shown && !isSmall && (
          <Line className={styles.cursor} from={{ x: xOf(shown), y: 0 }} to={{ x: xOf(shown), y: inner.height }} />
        )}
        {!isSmall && (
          <>
            <AxisLeft
              scale={y}
              tickValues={[...ticks]}
              tickFormat={value => formatTick(Number(value))}
              hideAxisLine
              hideTicks
              tickLabelProps={{ className: styles.tick, textAnchor: 'end', dy: '0.33em', dx: -4 }}
            />
            <AxisBottom
              top={inner.height}
              scale={x}
              tickValues={tickKeys(points, inner.width)}
              tickFormat={key => points.find(point => point.key === key)?.tick ?? ''}
              hideTicks
              axisLineClassName={styles.base}
              tickLabelProps={{ className: styles.tick, textAnchor: 'middle', dy: '0.4em' }}
            />
          </>
        )}
      </g>
    </svg>
  )
  if (isSmall)
    return (
      <div ref={ref} className={styles.plot} role="img" aria-label={label}>
        {drawing}
      </div>
    )
  const last = points.length - 1
  const text = (point: ChartPoint) => textOf(point, { valueTitle, beforeTitle, format })
  const move = (event: KeyboardEvent) => {
    const from = active ?? last
    const to = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      ArrowDown: from - 1,
      ArrowUp: from + 1,
      Home: 0,
      End: last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setActive(Math.min(last, Math.max(0, to)))
  }
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const at = clientX - currentTarget.getBoundingClientRect().left - left
    const nearest = points.reduce(
      (best, point, index) => (Math.abs(xOf(point) - at) < Math.abs(xOf(points[best] ?? point) - at) ? index : best),
      0,
    )
    setActive(nearest)
  }
  return (
    <div
      ref={ref}
      className={styles.plot}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, active ?? last)}
      aria-valuetext={points[active ?? last] ? text(points[active ?? last] as ChartPoint) : ''}
      onKeyDown={move}
      onFocus={() => setActive(current => current ?? last)}
      onBlur={() => setActive(undefined)}
      onPointerMove={follow}
      onPointerLeave={({ currentTarget }) => document.activeElement !== currentTarget && setActive(undefined)}
    >
      {drawing}
      {shown && (
        <div
          className={styles.tip}
          aria-hidden="true"
          data-end={left + xOf(shown) > width / 2 || undefined}
          style={{ left: left + xOf(shown), top: margin.top }}
        >
          <span>{shown.title}</span>
          <strong>{shown.value === null ? '–' : format(shown.value)}</strong>
          {beforeTitle !== undefined && (
            <span>
              {beforeTitle}: {typeof shown.before === 'number' ? format(shown.before) : '–'}
            </span>
          )}
        </div>
      )}
    </div>
  )
}

/** No line leads to a value between two that were not measured, such as the first one of a product. */
const isAlone = (points: readonly ChartPoint[], at: number): boolean =>
  [points[at - 1], points[at + 1]].every(each => (each?.value ?? null) === null)

function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** Short numbers; of amounts in minor units, those of the currency. */
function tickFormat(currency: string | undefined): (value: number) => string {
  const short = { notation: 'compact', maximumFractionDigits: 1 } as const
  if (currency === undefined) {
    const format = new Intl.NumberFormat(languageStore.get(), short)
    return value => format.format(value)
  }
  const format = new Intl.NumberFormat(languageStore.get(), { ...short, style: 'currency', currency })
  return amount => format.format(Number(toMajor(amount, currency)))
}

/** From 0, or from the least value below it, to the greatest one. Counts have whole numbers at the axis. */
function rangeOf(points: readonly Pick<ChartPoint, 'value' | 'before'>[]) {
  const values = points.flatMap(({ value, before }) => [value, before].filter(each => typeof each === 'number'))
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const scale = scaleLinear<number>({ domain: [least, most === least ? least + 1 : most], nice: MAX_TICKS })
  const areWhole = values.every(Number.isInteger)
  const ticks = scale.ticks(MAX_TICKS).filter(tick => !areWhole || Number.isInteger(tick))
  const [low = least, high = most] = scale.domain()
  return { low, high, ticks }
}

function textOf(
  { title, value, before }: ChartPoint,
  { valueTitle, beforeTitle, format }: Pick<ChartProps, 'valueTitle' | 'beforeTitle' | 'format'>,
): string {
  const said = [`${valueTitle} ${value === null ? '–' : format(value)}`]
  if (beforeTitle !== undefined && typeof before === 'number') said.push(`${beforeTitle} ${format(before)}`)
  return `${title}: ${said.join(', ')}`
}
