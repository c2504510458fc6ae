export const FILES = Symbol('nimo:files');
export const JOBS = Symbol('nimo:jobs');
export const SMS = Symbol('nimo:sms');
export const MAIL = Symbol('nimo:mail');
