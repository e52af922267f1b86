/* libze_specpi_cpu.so: only the functions that the loader looks for in a driver. */
#include "entry.h"

#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

#define FAKE_TABLE(Table, type, LIST)                                                              \
  ze_result_t zeGet##Table##ProcAddrTable(ze_api_version_t version,                                \
                                          ze_##type##_dditable_t *table) {                         \
    return fake_ze_get_##Table(version, table);                                                    \
  }
FAKE_TABLES(FAKE_TABLE)
#undef FAKE_TABLE

/*
 * X(api, Table, type): the tables of the tools and sysman APIs, which stay empty. The loader needs
 * them to accept a driver, and reports functions that are NULL as unsupported.
 */
#define EMPTY_TABLES(X)                                                                            \
  X(zes, Driver, driver)                                                                           \
  X(zes, Device, device)                                                                           \
  X(zes, Scheduler, scheduler)                                                                     \
  X(zes, PerformanceFactor, performance_factor)                                                    \
  X(zes, Power, power)                                                                             \
  X(zes, Frequency, frequency)                                                                     \
  X(zes, Engine, engine)                                                                           \
  X(zes, Standby, standby)                                                                         \
  X(zes, Firmware, firmware)                                                                       \
  X(zes, Memory, memory)                                                                           \
  X(zes, FabricPort, fabric_port)                                                                  \
  X(zes, Temperature, temperature)                                                                 \
  X(zes, Psu, psu)                                                                                 \
  X(zes, Fan, fan)                                                                                 \
  X(zes, Led, led)                                                                                 \
  X(zes, Ras, ras)                                                                                 \
  X(zes, Diagnostics, diagnostics)                                                                 \
  X(zet, Device, device)                                                                           \
  X(zet, Context, context)                                                                         \
  X(zet, CommandList, command_list)                                                                \
  X(zet, Module, module)                                                                           \
  X(zet, Kernel, kernel)                                                                           \
  X(zet, MetricGroup, metric_group)                                                                \
  X(zet, MetricGroupExp, metric_group_exp)                                                         \
  X(zet, Metric, metric)                                                                           \
  X(zet, MetricStreamer, metric_streamer)                                                          \
  X(zet, MetricQueryPool, metric_query_pool)                                                       \
  X(zet, MetricQuery, metric_query)                                                                \
  X(zet, TracerExp, tracer_exp)                                                                    \
  X(zet, Debug, debug)

#define FAKE_TABLE(api, Table, type)                                                               \
  ze_result_t api##Get##Table##ProcAddrTable(ze_api_version_t version,                             \
                                             api##_##type##_dditable_t *table) {                   \
    if (!table)                                                                                    \
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;                                                 \
    if (ZE_MAJOR_VERSION(version) != 1)                                                            \
      return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;                                                  \
    memset(table, 0, sizeof *table);                                                               \
    return ZE_RESULT_SUCCESS;                                                                      \
  }
EMPTY_TABLES(FAKE_TABLE)
#undef FAKE_TABLE
