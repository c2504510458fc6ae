import type { DocumentNode } from 'graphql';

export function sentDocument(document: DocumentNode): { readonly text: string; readonly id: string };
export function callModule(source: string): string;
