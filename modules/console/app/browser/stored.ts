/** Values that outlast the page. Without React, since the document reads some before it is there. */

/** Reads a JSON value of this browser, or of this tab; `fallback` if it is missing or unreadable. */
function read<T>(storage: () => Storage, key: string, fallback: T): T {
  try {
    const text = storage().getItem(`larder.console.${key}`)
    return text === null ? fallback : (JSON.parse(text) as T)
  } catch {
    return fallback
  }
}

function write(storage: () => Storage, key: string, value: unknown): void {
  try {
    storage().setItem(`larder.console.${key}`, JSON.stringify(value))
  } catch {
    // Private windows may refuse storage; the choice then lasts until the page closes.
    return
  }
}

export const readStored = <T>(key: string, fallback: T): T => read(() => localStorage, key, fallback)
export const writeStored = (key: string, value: unknown): void => write(() => localStorage, key, value)
export const readOfTab = <T>(key: string, fallback: T): T => read(() => sessionStorage, key, fallback)
export const writeOfTab = (key: string, value: unknown): void => write(() => sessionStorage, key, value)
