import type { EditorView } from '@codemirror/view'
import { type ComponentType, lazy, Suspense } from 'react'

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

const PlainText = ({ id, label, value, isReadOnly, onChange }: CodeEditorProps) => (
  <textarea
    id={id}
    aria-label={label}
    readOnly={isReadOnly}
    value={value}
    onChange={event => onChange(event.target.value)}
  />
)

// CodeMirror has 150 KB: loaded with the first form that needs it. Without a connection, the plain field stays.
const Mirror = lazy<ComponentType<CodeEditorProps>>(() =>
  import('./CodeMirror.tsx').catch(() => ({ default: PlainText })),
)

export const CodeEditor = (props: CodeEditorProps) => (
  <Suspense fallback={<PlainText {...props} />}>
    <Mirror {...props} />
  </Suspense>
)
