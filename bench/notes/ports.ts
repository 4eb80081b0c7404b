export interface Note {
  id: string
  title: string
  body: string
  createdAt: string
}

declare module '../../kernel/contract.ts' {
  interface Events {
    'notes.note.created': { noteId: string; title: string }
  }
}
