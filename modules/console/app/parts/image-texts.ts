import { bilingual } from '../locales/bilingual.ts'
import { useScreenTexts } from '../locales/index.ts'

const texts = bilingual({
  upload: 'Upload files',
  search: 'Search file names',
  images: 'Images',
  uploads: 'Uploads',
  uploading: ['{percent} %', '{percent} %'],
  checking: ['Checking…', 'Wird geprüft …'],
  done: ['Uploaded.', 'Hochgeladen.'],
  quarantined: 'Quarantined: {reason}',
  uploadFailed: [
    'The upload failed. Check your connection.',
    'Der Upload ist fehlgeschlagen. Prüfen Sie Ihre Verbindung.',
  ],
  cancel: ['Cancel upload of {name}', 'Upload von {name} abbrechen'],
  clearUploads: ['Hide finished uploads', 'Fertige Uploads ausblenden'],
  isPublic: 'Public',
  insertImage: ['Insert image', 'Bild einfügen'],
  insert: ['Insert', 'Einfügen'],
  altText: ['Alternative text', 'Alternativtext'],
  altHint: [
    'Describe the image for people who can’t see it. Leave it empty if the image is decoration.',
    'Beschreiben Sie das Bild für Menschen, die es nicht sehen können. Lassen Sie das Feld leer, wenn das Bild nur schmückt.',
  ],
  becomesPublic: [
    'Everyone can see the image at its address when you insert it.',
    'Mit dem Einfügen wird das Bild unter seiner Adresse für alle sichtbar.',
  ],
  mayNotPublish: [
    'This image isn’t public, and you don’t have permission to publish it.',
    'Dieses Bild ist nicht öffentlich, und Sie haben keine Berechtigung, es zu veröffentlichen.',
  ],
  noImages: ['No images yet', 'Noch keine Bilder'],
  noImagesText: ['Upload an image to insert it.', 'Laden Sie ein Bild hoch, um es einzufügen.'],
  noMatch: ['No images match your search.', 'Keine Bilder gefunden.'],
})
export type ImageTexts = (typeof texts)['en']

export const useImageTexts = (): ImageTexts => useScreenTexts(texts)
