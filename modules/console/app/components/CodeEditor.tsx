import { type ComponentType, lazy, Suspense, useRef } from 'react'
import { directionOf } from '../data/local-text.ts'
import type { CodeEditorProps, EditorProps, EditorSelection } from './CodeMirror.tsx'

function PlainText({
  id,
  label,
  value,
  isReadOnly,
  locale,
  onChange,
  focused,
  isLoading,
}: EditorProps & { readonly isLoading?: boolean }) {
  const keepFocus = (field: HTMLTextAreaElement) => () => {
    const { selectionStart: anchor, selectionEnd: head } = field
    focused.current = document.activeElement === field ? { anchor, head } : undefined
  }
  return (
    <textarea
      ref={keepFocus}
      id={id}
      aria-label={label}
      aria-busy={isLoading}
      lang={locale}
      dir={locale && directionOf(locale)}
      readOnly={isReadOnly}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  )
}

// CodeMirror has 150 KB: loaded with the first form that needs it. Without a connection, the plain field stays.
const Mirror = lazy<ComponentType<EditorProps>>(() => import('./CodeMirror.tsx').catch(() => ({ default: PlainText })))

export function CodeEditor(props: CodeEditorProps) {
  const focused = useRef<EditorSelection>(undefined)
  return (
    <Suspense fallback={<PlainText {...props} focused={focused} isLoading />}>
      <Mirror {...props} focused={focused} />
    </Suspense>
  )
}
