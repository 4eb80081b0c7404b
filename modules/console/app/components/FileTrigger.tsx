import type { ReactNode } from 'react'
import { FileTrigger as AriaFileTrigger } from 'react-aria-components/FileTrigger'

interface Props {
  /** MIME types, such as `image/*`. */
  readonly acceptedFileTypes?: readonly string[]
  readonly allowsMultiple?: boolean
  readonly onSelect: (files: readonly File[]) => void
  /** A `Button`. */
  readonly children: ReactNode
}

/** Opens the file dialog of the system when its button is pressed. */
export const FileTrigger = ({ acceptedFileTypes = [], allowsMultiple = false, onSelect, children }: Props) => (
  <AriaFileTrigger
    acceptedFileTypes={acceptedFileTypes}
    allowsMultiple={allowsMultiple}
    onSelect={files => onSelect([...(files ?? [])])}
  >
    {children}
  </AriaFileTrigger>
)
