import type { Work } from "../../base/slices.ts";
import { RuleBook } from "../../schema/rules/rule-book.ts";
import type { JudgedState, RecordRules } from "../../store/record-rules.ts";
import type { Edit, Lenience } from "../../store/store.ts";
import { judgeAlone, judgeEdits } from "./judge-edits.ts";

/** The rules in force, as stores judge writes by them. */
export class JudgingRules extends RuleBook implements RecordRules {
  judge(state: JudgedState, edits: readonly Edit[], lenience: Lenience | undefined): Work<void> | undefined {
    return judgeEdits(state, edits, this, lenience);
  }

  judgeAlone(edits: readonly Edit[], lenience: Lenience | undefined): Work<void> | undefined {
    return judgeAlone(edits, this, lenience);
  }
}
