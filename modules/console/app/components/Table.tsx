/** A table of many rows: only the visible ones are in the document, and the end of the list loads more. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTexts } from '../locales/index.ts'
import { type Card, type ColumnKind, cardOf, widthsOf } from './column-widths.ts'
import { Icon } from './Icon.tsx'
import { InList } from './in-list.ts'
import { useIsNarrow, useIsTouch } from './media.ts'
import { openRow, useRowKeys } from './row-keys.ts'
import styles from './Table.module.css'

export type { ColumnKind }

export interface Column<R> {
  readonly id: string
  readonly title: string
  readonly cell: (row: R) => ReactNode
  /** What its values are: numbers stand at the end of their cell. */
  readonly kind?: ColumnKind | undefined
  /** Pixels that its inputs need, with the padding of the cell. */
  readonly inputWidth?: number | undefined
  /** A column has it if the list can be sorted by it. */
  readonly sort?: { readonly direction: 'ascending' | 'descending' | 'none'; readonly onSort: () => void } | undefined
}
interface Props<R> {
  readonly label: string
  /** The first one names the row. */
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
  /** Other rows are on their way. */
  readonly isBusy?: boolean
  /** Shows every column also on a narrow screen, where rows are cards otherwise. */
  readonly isWide?: boolean
}

/** Pixels; fixed, so that the position of a row follows from its index. The same as in the style sheet. */
const ROW_HEIGHT = 36
const TOUCH_ROW_HEIGHT = 44
const CARD_HEIGHT = 64
const OVERSCAN = 12

/** Pixels of the columns with the check marks and the menus. */
const CHECK_WIDTH = 40
const ACTIONS_WIDTH = 48

/** Pixels that the columns of such a table have. */
export const roomFor = (width: number, canSelect: boolean, hasActions: boolean): number =>
  width - (canSelect ? CHECK_WIDTH : 0) - (hasActions ? ACTIONS_WIDTH : 0)

export function Table<R>(props: Props<R>) {
  const { label, columns, rows, rowKey, rowLabel, rowActions, selected, onSelect } = props
  const { hasMore = false, onLoadMore, isBusy = false, isWide = false } = props
  const t = useTexts()
  const scroller = useRef<HTMLDivElement>(null)
  const { top, height, width } = useViewport(scroller)
  const isTouch = useIsTouch()
  const card = cardOf(columns)
  const isCards = useIsNarrow() && !isWide && card !== undefined
  const rowHeight = isCards ? CARD_HEIGHT : isTouch ? TOUCH_ROW_HEIGHT : ROW_HEIGHT
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + OVERSCAN)
  useEffect(() => {
    if (hasMore && last >= rows.length) onLoadMore?.()
  }, [hasMore, last, rows.length, onLoadMore])

  const { choose, onKeyDown } = useRowKeys({ keys: rows.map(rowKey), selected, onSelect })
  const areAllSelected = rows.length > 0 && rows.every(row => selected?.has(rowKey(row)))
  const areSomeSelected = !areAllSelected && rows.some(row => selected?.has(rowKey(row)))
  const count = columns.length + (onSelect ? 1 : 0) + (rowActions ? 1 : 0)
  const widths = widthsOf(columns, roomFor(width, onSelect !== undefined, rowActions !== undefined))
  const tableWidth = widths.reduce(
    (sum, each) => sum + each,
    width - roomFor(width, Boolean(onSelect), Boolean(rowActions)),
  )
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the parts of a card are laid out in a grid, which has no roles of a table
    <section
      className={`${styles.scroll} panel`}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
      tabIndex={0}
      aria-label={label}
      aria-busy={isBusy || undefined}
      data-selects={onSelect !== undefined || undefined}
      onKeyDown={onKeyDown}
      // Inputs of the cells would be left by a click beside them.
      onClick={isWide ? undefined : openRow}
      data-opens={!isWide || undefined}
    >
      <table
        role="table"
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        data-cards={isCards || undefined}
        style={isCards ? undefined : { width: tableWidth }}
      >
        {!isCards && (
          <colgroup>
            {onSelect && <col style={{ width: CHECK_WIDTH }} />}
            {columns.map(({ id }, index) => (
              <col key={id} style={{ width: widths[index] }} />
            ))}
            {rowActions && <col style={{ width: ACTIONS_WIDTH }} />}
          </colgroup>
        )}
        <thead role="rowgroup">
          <tr role="row">
            {onSelect && (
              <th className={styles.check} role="columnheader" scope="col">
                <input
                  type="checkbox"
                  ref={box => {
                    if (box) box.indeterminate = areSomeSelected
                  }}
                  aria-label={t('selectAll')}
                  checked={areAllSelected}
                  onChange={event => onSelect(new Set(event.target.checked ? rows.map(rowKey) : []))}
                />
              </th>
            )}
            {shownIn(columns, isCards ? card : undefined).map(({ id, title, sort, kind }) => (
              <th key={id} role="columnheader" scope="col" aria-sort={sort?.direction} data-kind={kind} title={title}>
                {sort && !isCards ? (
                  <button type="button" className={styles.sort} onClick={sort.onSort}>
                    <span>{title}</span>
                    <Icon name={sort.direction === 'descending' ? 'arrow-down' : 'arrow-up'} />
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
            {rowActions && (
              <th className={styles.actions} role="columnheader" scope="col">
                <span className="visually-hidden">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          <InList value={true}>
            <Spacer height={first * rowHeight} width={count} />
            {rows.slice(first, last).map((row, offset) => {
              const key = rowKey(row)
              return (
                <tr
                  key={key}
                  role="row"
                  aria-rowindex={first + offset + 2}
                  data-selected={selected?.has(key) || undefined}
                >
                  {onSelect && (
                    <td className={styles.check} role="cell" data-aside>
                      <input
                        type="checkbox"
                        aria-label={t('selectRow', { name: rowLabel(row) })}
                        checked={selected?.has(key) ?? false}
                        // The browser would mark the text between.
                        onMouseDown={event => event.shiftKey && event.preventDefault()}
                        onChange={({ target, nativeEvent }) =>
                          choose(key, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                        }
                      />
                    </td>
                  )}
                  {shownIn(columns, isCards ? card : undefined).map(column => (
                    <td
                      key={column.id}
                      role="cell"
                      dir="auto"
                      data-kind={column.kind}
                      data-part={isCards ? partOf(card, column) : undefined}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                  {rowActions && (
                    <td className={styles.actions} role="cell" data-aside>
                      {rowActions(row)}
                    </td>
                  )}
                </tr>
              )
            })}
            <Spacer height={(rows.length - last) * rowHeight} width={count} />
          </InList>
        </tbody>
      </table>
    </section>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}

/** The part of the list that is in view, in pixels. */
function useViewport(scroller: RefObject<HTMLElement | null>) {
  const [viewport, setViewport] = useState({ top: 0, height: 800, width: 0 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () =>
      setViewport({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [scroller])
  return viewport
}

/** The columns of the rows, or those of a card, in the order of reading. */
const shownIn = <R,>(columns: readonly Column<R>[], card: Card<Column<R>> | undefined): readonly Column<R>[] =>
  card ? [card.title, card.state, card.fact, card.time].filter(column => column !== undefined) : columns

const partOf = <R,>({ title, state, fact }: Card<Column<R>>, column: Column<R>): string =>
  column === title ? 'title' : column === state ? 'state' : column === fact ? 'fact' : 'time'

const Spacer = ({ height, width }: { readonly height: number; readonly width: number }) =>
  height > 0 ? (
    <tr>
      <td className={styles.spacer} colSpan={width} style={{ height }} />
    </tr>
  ) : null
