/** A table of many rows: only the visible ones are in the document, and the end of the list loads more. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../locales/index.ts'
import { Icon } from './Icon.tsx'

export interface Column<R> {
  readonly id: string
  readonly title: string
  readonly cell: (row: R) => ReactNode
  /** A column has it if the list can be sorted by it. */
  readonly sort?: { readonly direction: 'ascending' | 'descending' | 'none'; readonly onSort: () => void } | undefined
}
interface Props<R> {
  readonly label: string
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  readonly rowKey: (row: R) => string
  readonly rowLabel: (row: R) => string
  /** Shown at the end of each row, for its menu. */
  readonly rowActions?: ((row: R) => ReactNode) | undefined
  readonly selected?: ReadonlySet<string> | undefined
  readonly onSelect?: ((keys: ReadonlySet<string>) => void) | undefined
  /** Whether more rows can be loaded; none by default. */
  readonly hasMore?: boolean
  readonly onLoadMore?: () => void
}

/** Pixels; fixed, so that the position of a row follows from its index. */
const ROW_HEIGHT = 44
const OVERSCAN = 12

export function Table<R>(props: Props<R>) {
  const { label, columns, rows, rowKey, rowLabel, rowActions, selected, onSelect, hasMore = false, onLoadMore } = props
  const t = useTexts()
  const scroller = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setRange({ top: element.scrollTop, height: element.clientHeight })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [])
  const first = Math.max(0, Math.floor(range.top / ROW_HEIGHT) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((range.top + range.height) / ROW_HEIGHT) + OVERSCAN)
  useEffect(() => {
    if (hasMore && last >= rows.length) onLoadMore?.()
  }, [hasMore, last, rows.length, onLoadMore])

  const toggle = (key: string, isOn: boolean) => {
    const next = new Set(selected)
    if (isOn) next.add(key)
    else next.delete(key)
    onSelect?.(next)
  }
  const areAllSelected = rows.length > 0 && rows.every(row => selected?.has(rowKey(row)))
  const width = columns.length + (onSelect ? 1 : 0) + (rowActions ? 1 : 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
    <section className="table-scroll panel" ref={scroller} tabIndex={0} aria-label={label} onKeyDown={moveFocus}>
      <table aria-rowcount={hasMore ? -1 : rows.length + 1}>
        <thead>
          <tr>
            {onSelect && (
              <th className="check">
                <input
                  type="checkbox"
                  aria-label={t('selectAll')}
                  checked={areAllSelected}
                  onChange={event => onSelect(new Set(event.target.checked ? rows.map(rowKey) : []))}
                />
              </th>
            )}
            {columns.map(({ id, title, sort }) => (
              <th key={id} scope="col" aria-sort={sort?.direction}>
                {sort ? (
                  <button type="button" className="sort" onClick={sort.onSort}>
                    {title}
                    <Icon name={sort.direction === 'descending' ? 'arrow-down' : 'arrow-up'} />
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
            {rowActions && (
              <th className="row-actions">
                <span className="visually-hidden">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * ROW_HEIGHT} width={width} />
          {rows.slice(first, last).map((row, offset) => {
            const key = rowKey(row)
            return (
              <tr key={key} aria-rowindex={first + offset + 2} data-selected={selected?.has(key) || undefined}>
                {onSelect && (
                  <td className="check">
                    <input
                      type="checkbox"
                      aria-label={t('selectRow', { name: rowLabel(row) })}
                      checked={selected?.has(key) ?? false}
                      onChange={event => toggle(key, event.target.checked)}
                    />
                  </td>
                )}
                {columns.map(({ id, cell }) => (
                  <td key={id}>{cell(row)}</td>
                ))}
                {rowActions && <td className="row-actions">{rowActions(row)}</td>}
              </tr>
            )
          })}
          <Spacer height={(rows.length - last) * ROW_HEIGHT} width={width} />
        </tbody>
      </table>
    </section>
  )
}

const Spacer = ({ height, width }: { readonly height: number; readonly width: number }) =>
  height > 0 ? (
    <tr>
      <td className="spacer" colSpan={width} style={{ height }} />
    </tr>
  ) : null

/** The arrow keys move between the links of the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
  if (step === 0 || isField) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
