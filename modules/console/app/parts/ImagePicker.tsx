import { lazy, Suspense } from 'react'
import type { ImagePickerProps } from './ImagePickerDialog.tsx'

const Dialog = lazy(() => import('./ImagePickerDialog.tsx'))

/** Chooses an image of the library, or uploads one. */
export const ImagePicker = (props: ImagePickerProps) => (
  <Suspense>
    <Dialog {...props} />
  </Suspense>
)
