"""pi-conformance --junit: the XML of a run says what its lines and its list of outcomes say.

usage: junit.py PI-CONFORMANCE PLUGIN SCRATCH
"""
import os
import subprocess
import sys
import xml.etree.ElementTree

program, plugin, scratch = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
report = os.path.join(scratch, "report.xml")
outcomes = os.path.join(scratch, "outcomes")
known = os.path.join(scratch, "known")
# A test that passes although it is a known failure fails; the reason has all characters special to XML.
reason = 'sometimes <"a" & \'b\'>\x01\xff ü]]>'
with open(known, "wb") as file:
    file.write(b"queue.query_refuses_unknown it is < listed & passes\n")
    file.write(b"queue.references " + reason.encode("latin-1").replace(b"\xfc", "ü".encode()) + b"\n")
done = subprocess.run([program, "--plugin", plugin, "--filter", "queue.*", "--junit", report, "--outcomes", outcomes,
                       "--known", known], check=False, stdout=subprocess.PIPE)
print(done.stdout.decode(errors="replace"))
assert done.returncode == 1, done.returncode
suite = xml.etree.ElementTree.parse(report).getroot()
with open(outcomes, encoding="utf-8") as file:
    expected = dict(line.split() for line in file)
assert suite.tag == "testsuite" and suite.get("name") == os.path.realpath(plugin), suite.attrib
cases = {f"{case.get('classname')}.{case.get('name')}": case for case in suite}
assert cases.keys() == expected.keys() and len(suite) == len(expected) > 5
kinds = {"passed": None, "FAILED": "failure", "skipped": "skipped", "known": "skipped"}
for name, case in cases.items():
    assert float(case.get("time")) >= 0
    found = case[0].tag if len(case) else None
    assert found == kinds[expected[name]], (name, found, expected[name])
assert float(suite.get("time")) > 0
assert int(suite.get("tests")) == len(cases)
for attribute, tag in (("failures", "failure"), ("skipped", "skipped")):
    assert int(suite.get(attribute)) == sum(len(case) > 0 and case[0].tag == tag for case in cases.values())
failure = cases["queue.query_refuses_unknown"][0]
assert "(it is < listed & passes)" in failure.get("message"), failure.attrib
sometimes = [case[0].get("message") for name, case in cases.items() if expected[name] == "known"]
assert sometimes == ["passed: sometimes <\"a\" & 'b'>?? ü]]>"], sometimes

# A path that cannot be written is refused before a test runs.
refused = subprocess.run([program, "--plugin", plugin, "--junit", "/nonexistent/report.xml"], check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
assert refused.returncode == 2 and b"/nonexistent/report.xml: No such file" in refused.stderr, refused
