using System.Text.Json;
using EventHubThroughput.Emulator.Administration;
using EventHubThroughput.Emulator.FaultInjection.Faults;

namespace EventHubThroughput.Emulator.Administration;

/// <summary>Faults over HTTP: lists the armed ones with their counts, arms and removes.</summary>
internal static class FaultRoutes
{
    public static void AddTo(AdminRoutes routes, FaultEngine engine)
    {
        routes.Map("GET", "/faults", _ => Describe(200, engine.Armed));
        routes.Map(
            "POST",
            "/faults",
            async (request, cancellationToken) => Describe(201, engine.Arm(FaultReader.Read(await request.ReadSettingsAsync(cancellationToken))))
        );
        routes.Map(
            "DELETE",
            "/faults",
            _ =>
            {
                engine.Disarm(null);
                return AdminAnswer.Empty(204);
            }
        );
        routes.Map(
            "DELETE",
            "/faults/{fault}",
            request =>
                engine.Disarm(request["fault"]) > 0
                    ? AdminAnswer.Empty(204)
                    : AdminAnswer.Fail(404, $"No fault of that name or number is armed: '{request["fault"]}'.")
        );
    }

    public static void Write(Utf8JsonWriter json, ArmedFault fault)
    {
        var (matched, struck) = fault.Counts;
        json.WriteNumber("number", fault.Number);
        json.WriteString("name", fault.Rule.Name);
        json.WriteString("at", string.Join(',', fault.Rule.Points.Select(FaultEngine.GetName)));
        json.WriteString("do", FaultEngine.GetName(fault.Rule.Action));
        json.WriteBoolean("inForce", fault.IsInForce);
        json.WriteNumber("matched", matched);
        json.WriteNumber("struck", struck);
    }

    private static AdminAnswer Describe(int status, IEnumerable<ArmedFault> faults) =>
        AdminAnswer.Json(status, json => JsonRows.Write(json, "faults", faults, Write));
}
