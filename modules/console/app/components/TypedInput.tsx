import { useEffect, useRef, useState } from 'react'

/** Time after the last key. A fast typist pauses longer between words: a later text aborts the requests of the one before. */
const TYPING_PAUSE_MS = 80

interface Props {
  readonly label: string
  readonly type?: 'search' | 'text' | 'date' | 'datetime-local'
  readonly value: string
  readonly maxLength?: number
  /** Gets the text without spaces at its ends. */
  readonly onChange: (text: string) => void
}

/** A search or filter that reports its text when the person pauses. The URL, which changes later, can't undo a key. */
export function TypedInput({ label, type = 'search', value, maxLength, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  const report = useRef(onChange)
  report.current = onChange
  const reported = useRef(value)
  useEffect(() => {
    // A value from elsewhere, for example after filters were cleared.
    if (value !== reported.current) setTyped(value)
    reported.current = value
  }, [value])
  useEffect(() => {
    const text = typed.trim()
    if (text === reported.current) return
    const { pathname } = location
    const timer = setTimeout(() => {
      // The next screen may still be loading. A filter must not lead back to this one.
      if (location.pathname !== pathname) return
      reported.current = text
      report.current(text)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      className="filter-input"
      aria-label={label}
      placeholder={label}
      type={type}
      maxLength={maxLength}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
