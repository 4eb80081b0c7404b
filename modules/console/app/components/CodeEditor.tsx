import type { EditorView } from '@codemirror/view'
import { type ComponentType, lazy, type RefObject, Suspense, useRef } from 'react'

export interface CodeEditorProps {
  readonly id?: string
  readonly label: string
  readonly language: 'json' | 'yaml' | 'markdown'
  readonly value: string
  readonly isReadOnly?: boolean
  readonly describedBy?: string
  readonly onChange: (value: string) => void
  /** Called with the editor, for a toolbar. */
  readonly onReady?: (editor: EditorView) => void
}

/** In characters. */
interface EditorSelection {
  readonly anchor: number
  readonly head: number
}
export interface EditorProps extends CodeEditorProps {
  /** The selection of the plain field, if it had the focus. */
  readonly focused: RefObject<EditorSelection | undefined>
}

function PlainText({
  id,
  label,
  value,
  isReadOnly,
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
