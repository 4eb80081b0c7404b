/** The folders of the library: where the person is, the folders below, and new ones. */

import { useState } from 'react'
import {
  type Api,
  Button,
  FormDialog,
  fill,
  formatNumber,
  Icon,
  type ListOf,
  type ListSearch,
  ScreenLink,
  TextField,
} from '../../public.ts'
import { useMediaTexts } from './texts.ts'

export const FOLDER_FILTER = 'filter[folder]'
const MAX_LENGTH = 255

/** Opens a folder, without the search of the current one. */
const searchOf = (path: string): ListSearch => (path === '' ? {} : { filters: { [FOLDER_FILTER]: path } })

export function FolderTrail({ folder }: { readonly folder: string }) {
  const c = useMediaTexts()
  if (folder === '') return null
  const names = folder.split('/')
  return (
    <nav className="crumbs folder-trail" aria-label={c.folders}>
      <span>
        <ScreenLink className="plain" to="." search={searchOf('')}>
          {c.allFiles}
        </ScreenLink>
      </span>
      {names.map((name, index) => {
        const path = names.slice(0, index + 1).join('/')
        return (
          <span key={path}>
            <Icon name="chevron-right" size={14} />
            {path === folder ? (
              <strong aria-current="location">{name}</strong>
            ) : (
              <ScreenLink className="plain" to="." search={searchOf(path)}>
                {name}
              </ScreenLink>
            )}
          </span>
        )
      })}
    </nav>
  )
}

export function FolderList({ folders }: { readonly folders: ListOf<Api.MediaFolder>['data'] }) {
  const c = useMediaTexts()
  if (folders.length === 0) return null
  return (
    <ul className="folder-list" aria-label={c.folders}>
      {folders.map(({ path, name, files }) => (
        <li key={path}>
          <ScreenLink className="folder-tile panel" to="." search={searchOf(path)}>
            <Icon name="folder" />
            <span className="media-name">{name}</span>
            <span className="muted">{fill(c.folderFiles, { count: formatNumber(files) })}</span>
          </ScreenLink>
        </li>
      ))}
    </ul>
  )
}

interface NewFolderProps {
  readonly parent: string
  readonly onOpen: (path: string) => void
}

/** A folder exists while a file is in it, so a new one is only opened. */
export function NewFolder({ parent, onOpen }: NewFolderProps) {
  const c = useMediaTexts()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const path = [parent, ...name.split('/').map(part => part.trim())].filter(part => part !== '').join('/')
  const isValid = path !== parent && path.length <= MAX_LENGTH
  const open = () => {
    setOpen(false)
    setName('')
    onOpen(path)
  }
  return (
    <>
      <Button icon="folder" onPress={() => setOpen(true)}>
        {c.newFolder}
      </Button>
      <FormDialog
        title={c.newFolder}
        submit={c.openFolder}
        isOpen={isOpen}
        isDisabled={!isValid}
        onSubmit={open}
        onClose={() => setOpen(false)}
      >
        <TextField
          label={c.folder}
          hint={c.newFolderHint}
          required
          maxLength={MAX_LENGTH}
          value={name}
          onChange={setName}
        />
      </FormDialog>
    </>
  )
}
