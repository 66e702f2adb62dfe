import { activateOwnDatabase } from "./activate-own-database.ts";
import { checkOwnDatabase } from "./check-own-database.ts";
import { confirmOwnDatabase } from "./confirm-own-database.ts";
import { connectOwnDatabase } from "./connect-own-database.ts";
import { disconnectOwnDatabase } from "./disconnect-own-database.ts";
import { fetchLeftContent } from "./fetch-left-content.ts";
import { getContentMoveReport } from "./get-content-move-report.ts";
import { getOwnDatabase } from "./get-own-database.ts";
import { listMissingContent } from "./list-missing-content.ts";
import { startContentMove } from "./start-content-move.ts";
import { stopContentMove } from "./stop-content-move.ts";
import { testOwnDatabase } from "./test-own-database.ts";

export const operations = {
  get_own_database: getOwnDatabase,
  check_own_database: checkOwnDatabase,
  test_own_database: testOwnDatabase,
  connect_own_database: connectOwnDatabase,
  confirm_own_database: confirmOwnDatabase,
  fetch_left_content: fetchLeftContent,
  start_content_move: startContentMove,
  activate_own_database: activateOwnDatabase,
  stop_content_move: stopContentMove,
  disconnect_own_database: disconnectOwnDatabase,
  list_missing_content: listMissingContent,
  get_content_move_report: getContentMoveReport,
} as const;
