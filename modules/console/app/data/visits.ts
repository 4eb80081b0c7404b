/** The screens that the person opened last, and those that they pinned, in this workspace. */
import { BASE, workspace } from '../browser/document.ts'
import { createStore } from '../browser/store.ts'
import { readOfTab, readStored, writeOfTab, writeStored } from '../browser/stored.ts'

export interface Visit {
  /** Below the workspace: `/forms/forms/frm_…`. */
  readonly path: string
  readonly title: string
}
const MAX_VISITS = 8
/** The last segments of forms, which nobody returns to. */
const FORM = /\/(new|edit)$/
const PINS = `pins.${workspace?.id ?? ''}`
const VISITS = `visits.${workspace?.id ?? ''}`

/** Ids of entries of the navigation, in the order in which they were pinned. */
export const pinStore = createStore<readonly string[]>(readStored<readonly string[]>(PINS, []))

/** The latest first. Titles can name people: they are gone when the tab is closed. */
export const visitStore = createStore<readonly Visit[]>(readOfTab<readonly Visit[]>(VISITS, []))

export function togglePin(id: string): void {
  const pins = pinStore.get()
  pinStore.set(pins.includes(id) ? pins.filter(each => each !== id) : [...pins, id])
  writeStored(PINS, pinStore.get())
}

const pathOf = (pathname: string): string => (pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname)

function keep(visits: readonly Visit[]): void {
  visitStore.set(visits)
  writeOfTab(VISITS, visits)
}

/** @param pathname that of the document. */
export function keepVisit(pathname: string, title: string): void {
  const path = pathOf(pathname)
  if (path.split('/').length < 3 || FORM.test(path)) return
  const others = visitStore.get().filter(visit => visit.path !== path)
  keep([{ path, title }, ...others].slice(0, MAX_VISITS))
}

/** A record that no longer exists isn't listed. @param pathname that of the document, or below the workspace. */
export function forgetVisit(pathname: string): void {
  const path = pathOf(pathname)
  if (visitStore.get().some(visit => visit.path === path)) keep(visitStore.get().filter(visit => visit.path !== path))
}
