import type { EditorView } from '@codemirror/view'
import { lazy, Suspense } from 'react'

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

// CodeMirror has 150 KB: loaded with the first form that needs it.
const Mirror = lazy(() => import('./CodeMirror.tsx'))

export function CodeEditor(props: CodeEditorProps) {
  const fallback = (
    <textarea aria-label={props.label} value={props.value} onChange={event => props.onChange(event.target.value)} />
  )
  return (
    <Suspense fallback={fallback}>
      <Mirror {...props} />
    </Suspense>
  )
}
