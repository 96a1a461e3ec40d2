using System.Text.Json.Nodes;

namespace EventHubThroughput.Load;

/// <summary>The faults of the consumer's soak. After each of them the service works again.</summary>
internal static class SoakFaults
{
    /// <summary>The faults to arm, turn by turn, in the form of the emulator. All are names of its catalogue.</summary>
    public static IReadOnlyList<string> Rules { get; } =
    [
        """{ "name": "F6-send", "every": 40, "limit": 3 }""",
        """{ "name": "F13", "every": 10, "limit": 10 }""",
        """{ "name": "F8", "every": 100, "limit": 1 }""",
        """{ "name": "F11", "every": 40, "limit": 3 }""",
        """{ "name": "F17", "probability": 0.3, "limit": 5 }""",
        """{ "name": "F14", "every": 40, "limit": 3 }""",
        """{ "name": "F8-send", "every": 40, "limit": 3 }""",
        """{ "name": "F10-all", "toSeconds": 1 }""",
        """{ "name": "F13-500", "every": 10, "limit": 10 }""",
        """{ "name": "F6-checkpoint", "every": 5, "limit": 2 }""",
        """{ "name": "F8-stolen", "nth": 50 }""",
        """{ "name": "F25", "every": 100, "limit": 2 }""",
        """{ "name": "F13-408", "every": 10, "limit": 10 }""",
        """{ "name": "F9", "ms": 2000 }""",
        """{ "name": "F8-limit", "every": 100, "limit": 1 }""",
        """{ "name": "F17-slow", "limit": 1 }""",
        """{ "name": "F13-429", "every": 10, "limit": 10 }""",
        """{ "name": "F38", "fromSeconds": 1 }""",
        """{ "name": "F21", "every": 5, "limit": 1 }""",
        """{ "name": "F10-2", "probability": 0.05, "limit": 20 }""",
    ];

    /// <summary>The rule of a turn.</summary>
    public static string GetRule(int turn) => Rules[turn % Rules.Count];

    /// <summary>The name of the fault of a turn.</summary>
    public static string GetName(int turn) => GetName(GetRule(turn));

    public static string GetName(string rule) => (string)JsonNode.Parse(rule)!["name"]!;
}
