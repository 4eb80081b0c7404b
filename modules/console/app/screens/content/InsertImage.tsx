/** The button of the editor that inserts an image from the library. Absent without the module media. */

import { useEffect, useRef, useState } from 'react'
import { Button, ImagePicker, type PickedImage, type TextEditor, useResource } from '../../public.ts'
import { useContentTexts } from './texts.ts'

export function InsertImage({ editor }: { readonly editor: { readonly current: TextEditor | undefined } }) {
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
    view.replaceSelection(markdownOf(image))
    isInserted.current = true
  }
  return (
    <>
      <Button kind="quiet" icon="image" label={c.image} onPress={() => setOpen(true)} />
      {isOpen && <ImagePicker resource={resource} onPick={insert} onClose={() => setOpen(false)} />}
    </>
  )
}

const markdownOf = ({ path, alt }: PickedImage): string =>
  `![${alt.replace(/[\\[\]`*_<&!]/g, '\\$&').replace(/\s+/g, ' ')}](${path})`
