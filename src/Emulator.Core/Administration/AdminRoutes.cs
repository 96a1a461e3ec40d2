namespace EventHubThroughput.Emulator.Administration;

internal delegate Task<AdminAnswer> AdminAction(AdminRequest request, CancellationToken cancellationToken);

/// <summary>Maps paths and methods to actions.</summary>
internal sealed class AdminRoutes
{
    private readonly List<(string Method, string[] Parts, AdminAction Action)> _routes = [];

    /// <summary>Adds a route.</summary>
    /// <param name="method">GET (which HEAD follows), PUT, POST or DELETE.</param>
    /// <param name="path">A path such as <c>/hubs/{name}</c>. A name in braces matches one part of the path.</param>
    /// <param name="action">May throw <see cref="Settings.UsageException"/>, which is answered with status 400 and all its problems.</param>
    public void Map(string method, string path, AdminAction action) => _routes.Add((method, Split(path), action));

    public void Map(string method, string path, Func<AdminRequest, AdminAnswer> action) => Map(method, path, (request, _) => Task.FromResult(action(request)));

    /// <summary>Whether any route has this path.</summary>
    public bool HasRoute(string path) => Split(path) is var parts && _routes.Exists(route => Match(route.Parts, parts) is not null);

    /// <summary>The route of a request, or an answer with the reason why there is none.</summary>
    public (AdminAction? Action, IReadOnlyDictionary<string, string> Values, AdminAnswer? Refusal) Find(string method, string path)
    {
        var parts = Split(path);
        var wanted = method == "HEAD" ? "GET" : method;
        List<string> others = [];
        foreach (var route in _routes)
        {
            if (Match(route.Parts, parts) is not { } values)
            {
                continue;
            }

            if (route.Method == wanted)
            {
                return (route.Action, values, null);
            }

            others.Add(route.Method);
        }

        var nothing = new Dictionary<string, string>();
        return others.Count == 0
            ? (null, nothing, AdminAnswer.Fail(404, "This path does not exist."))
            : (null, nothing, AdminAnswer.Fail(405, $"{method} is not allowed here.") with { Allow = string.Join(", ", others.Order()) });
    }

    private static string[] Split(string path) => path.Trim('/').Split('/');

    private static Dictionary<string, string>? Match(string[] pattern, string[] parts)
    {
        if (pattern.Length != parts.Length)
        {
            return null;
        }

        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        for (var i = 0; i < parts.Length; i++)
        {
            if (pattern[i].StartsWith('{'))
            {
                values[pattern[i][1..^1]] = Uri.UnescapeDataString(parts[i]);
            }
            else if (!string.Equals(pattern[i], parts[i], StringComparison.Ordinal))
            {
                return null;
            }
        }

        return values;
    }
}
