export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Sends email. Without SMTP_URL it is not configured: callers check that first, and do without. */
export interface Mailer {
  readonly isConfigured: boolean;
  send(mail: Mail): Promise<void>;
}
