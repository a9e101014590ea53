-- For wrk. With LEAD set it posts leads, as JSON unless a header says otherwise, each with a text of its own; prints one JSON object at the end.
local lead = os.getenv("LEAD")

if lead then
	local run, count = os.getenv("RUN"), 0
	wrk.method = "POST"
	wrk.headers["content-type"] = wrk.headers["content-type"] or "application/json"
	request = function()
		count = count + 1
		return wrk.format(nil, nil, nil, (lead:gsub("UNIQUE", run .. "-" .. count)))
	end
end

done = function(summary)
	local errors = summary.errors
	local lost = errors.connect + errors.read + errors.write + errors.timeout
	local form = '\n{"requests":%d,"seconds":%f,"errors":%d,"lost":%d}\n'
	io.write(string.format(form, summary.requests, summary.duration / 1e6, errors.status, lost))
end
