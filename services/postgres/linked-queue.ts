/**
 * A queue from which any item can be removed. A Set would keep garbage: V8 links each table that a Set replaces to the
 * next one, so a replaced table in the old generation keeps all later tables, and what they held, until a full collection.
 */

export interface Links<T> {
  /** Set by the queue. Undefined once the item is removed, so that a removed item keeps no other. */
  previous: T | undefined
  next: T | undefined
}
export interface LinkedQueue<T> {
  readonly size: number
  /** The item that was added first. */
  readonly first: T | undefined
  add(item: T): void
  /** Returns false if the queue doesn't have the item. */
  remove(item: T): boolean
}

export function createLinkedQueue<T extends Links<T>>(): LinkedQueue<T> {
  let first: T | undefined
  let last: T | undefined
  let size = 0
  return {
    get size() {
      return size
    },
    get first() {
      return first
    },
    add(item) {
      item.previous = last
      if (last) last.next = item
      else first = item
      last = item
      size++
    },
    remove(item) {
      const { previous, next } = item
      if (!previous && first !== item) return false
      if (previous) previous.next = next
      else first = next
      if (next) next.previous = previous
      else last = previous
      item.previous = undefined
      item.next = undefined
      size--
      return true
    },
  }
}
