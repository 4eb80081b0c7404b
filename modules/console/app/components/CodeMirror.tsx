import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { yaml } from '@codemirror/lang-yaml'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { minimalSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import type { CodeEditorProps } from './CodeEditor.tsx'

const LANGUAGES = { json, yaml, markdown } as const

const nonce = () => document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? ''

export default function CodeMirror({
  label,
  language,
  value,
  isReadOnly,
  describedBy,
  onChange,
  onReady,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values are applied by the effect below
  useEffect(() => {
    if (!host.current) return
    view.current = new EditorView({
      parent: host.current,
      doc: value,
      extensions: [
        minimalSetup,
        LANGUAGES[language](),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(nonce()),
        EditorState.readOnly.of(isReadOnly ?? false),
        EditorView.contentAttributes.of({
          'aria-label': label,
          ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
        }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) changed.current(update.state.doc.toString())
        }),
      ],
    })
    onReady?.(view.current)
    return () => view.current?.destroy()
  }, [language])
  useEffect(() => {
    const editor = view.current
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div className="code-editor" ref={host} />
}
