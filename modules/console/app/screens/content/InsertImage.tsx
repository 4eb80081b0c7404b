/** The button of the editor that inserts an image from the library. Absent without the module media. */
import type { EditorView } from '@codemirror/view'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { useResource } from '../../data/resources.ts'
import type { PickedImage } from '../../parts/ImagePicker.tsx'
import { useContentTexts } from './texts.ts'

const ImagePicker = lazy(() => import('../../parts/ImagePicker.tsx'))

export function InsertImage({ editor }: { readonly editor: { readonly current: EditorView | undefined } }) {
  const c = useContentTexts()
  const resource = useResource('media', 'items')
  const [isOpen, setOpen] = useState(false)
  const isInserted = useRef(false)
  useEffect(() => {
    if (isOpen || !isInserted.current) return
    isInserted.current = false
    // The closed dialog returns the focus to its button in this frame.
    requestAnimationFrame(() => editor.current?.focus())
  }, [isOpen, editor])
  if (!resource) return null
  const insert = (image: PickedImage) => {
    setOpen(false)
    const view = editor.current
    if (!view) return
    view.dispatch(view.state.replaceSelection(markdownOf(image)))
    isInserted.current = true
  }
  return (
    <>
      <Button kind="quiet" icon="image" label={c.image} onPress={() => setOpen(true)} />
      {isOpen && (
        <Suspense>
          <ImagePicker resource={resource} onPick={insert} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const markdownOf = ({ path, alt }: PickedImage): string =>
  `![${alt.replace(/[\\[\]`*_<&!]/g, '\\$&').replace(/\s+/g, ' ')}](${path})`
