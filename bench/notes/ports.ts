export interface Note {
  id: string
  title: string
  body: string
  createdAt: string
}

declare module 'larder/kernel' {
  interface Events {
    'notes.note.created': { noteId: string; title: string }
  }
}
