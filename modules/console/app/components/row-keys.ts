/** What a click or a key does with the rows of a table. The inputs and the links of the rows keep their own keys. */
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'

interface Props {
  /** Keys of the loaded rows, in their order. */
  readonly keys: readonly string[]
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: ((keys: ReadonlySet<string>) => void) | undefined
}

/** Elements that do something of their own. */
const ACTIVE = 'a, button, input, select, textarea, label, summary, [role="menu"], [data-aside]'
const FIELDS = 'input:not([type="checkbox"]), select, textarea, [role="menu"], [role="dialog"], [role="alertdialog"]'

export function useRowKeys({ keys, selected, onSelect }: Props) {
  /** The row that was chosen last, from which a range begins. */
  const anchor = useRef<string>(undefined)

  const choose = (key: string, isOn: boolean, isRange: boolean) => {
    const from = anchor.current === undefined ? -1 : keys.indexOf(anchor.current)
    const to = keys.indexOf(key)
    const range = isRange && from >= 0 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key]
    anchor.current = key
    const next = new Set(selected)
    for (const each of range) {
      if (isOn) next.add(each)
      else next.delete(each)
    }
    onSelect?.(next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || !(event.target instanceof Element) || event.target.closest(FIELDS)) return
    if (!event.currentTarget.contains(event.target)) return
    const { key, shiftKey } = event
    const isControl = event.ctrlKey || event.metaKey
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const before = rowAt(event.target)
      const next = neighbor(event.currentTarget, key === 'ArrowDown' ? 1 : -1)
      if (!next) return
      event.preventDefault()
      next.focus()
      const [from, to] = [before, rowAt(next)].map(index => (index === undefined ? undefined : keys[index]))
      if (!shiftKey || to === undefined) return
      if (from !== undefined && !selected?.has(from)) anchor.current = from
      choose(to, true, true)
    } else if (!onSelect || event.altKey || shiftKey) {
      return
    } else if (key === 'Escape' && !isControl && selected && selected.size > 0) {
      event.preventDefault()
      onSelect(new Set())
    } else if (isControl && key.toLowerCase() === 'a') {
      event.preventDefault()
      onSelect(new Set(keys))
    } else if (key === 'x' && !isControl) {
      const row = keys[rowAt(event.target) ?? -1]
      if (row === undefined) return
      event.preventDefault()
      choose(row, !selected?.has(row), false)
    }
  }
  return { choose, onKeyDown }
}

/** A row is opened by a click beside its link, too, as its link would open it. The link is there for the keyboard. */
export function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ACTIVE)) return
  // The end of marking a text.
  if (getSelection()?.isCollapsed === false) return
  const link = target.closest('tbody tr')?.querySelector('.row-link')
  link?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** The link of the row before or after the one with the focus, or its box if a box has the focus. */
function neighbor(table: HTMLElement, step: 1 | -1): HTMLElement | null | undefined {
  const rows = [...table.querySelectorAll('tbody tr[aria-rowindex]')]
  const { activeElement } = document
  const index = rows.findIndex(row => row.contains(activeElement))
  return rows[index + step]?.querySelector<HTMLElement>(activeElement?.matches('[type="checkbox"]') ? 'input' : 'a')
}

/** The number of the row among the loaded ones. */
function rowAt(element: Element): number | undefined {
  const row = element.closest('tbody tr')?.getAttribute('aria-rowindex')
  return row == null ? undefined : Number(row) - 2
}
